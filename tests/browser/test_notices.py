"""What may newly act for the person shows at once in every inbox that is open, until they have seen it."""

import pytest
from playwright.async_api import expect

from tests.support.browser import person
from tests.support.house import House, make_token, revoke_token
from tests.support.inbox import Inbox, drawn

pytestmark = pytest.mark.browser


async def test_another_browser_that_signs_in_is_told_until_the_notice_is_dismissed(inbox: Inbox):
    async with inbox.person() as someone, person(inbox.browser) as other:
        notice = someone.page.get_by_text("A new browser was signed in")
        await expect(notice).to_be_hidden()
        await other.sign_in(await inbox.sign_in_link())
        await drawn(other)
        await expect(notice).to_be_visible()
        await someone.page.get_by_role("button", name="Dismiss this notice").click()
        await expect(notice).to_be_hidden()


async def test_a_token_that_may_reply_is_told_and_one_that_may_only_ask_is_not(inbox: Inbox, house: House):
    async with inbox.person() as someone:
        await make_token(house.database_url, can="ask")
        token = await make_token(house.database_url, can="reply")
        await expect(someone.page.get_by_text("A token that may reply was made: test")).to_be_visible()
        await revoke_token(house.database_url, token.id)
        await expect(someone.page.get_by_text("A token was revoked: test")).to_be_visible()
        await expect(someone.page.locator(".notice")).to_have_count(2)
