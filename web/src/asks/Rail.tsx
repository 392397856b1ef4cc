import { useSignal } from "@preact/signals";
import { endSession } from "../api/client";
import { dropSession } from "../api/session";
import { needing } from "../inbox/sections";
import { t } from "../strings";
import { Icon, Mark } from "../ui/Icon";
import { asks, drafts } from "./desk";
import { hrefOf, inProject, listPage } from "./place";

/** Where to go: at the side, or under the thumb on a phone. */
export function Rail({ onHelp }: { readonly onHelp: () => void }) {
  const count = needing(asks.all.value.values());
  const here = listPage.value;
  return (
    <nav class="rail" aria-label={t.nav.label}>
      <Mark />
      <a href={hrefOf(inProject({ page: "inbox" }))} aria-current={here === "inbox" ? "page" : undefined}>
        <Icon name="inbox" />
        <span>{t.nav.inbox}</span>
        {count > 0 && <span class="badge">{count}</span>}
      </a>
      <a href={hrefOf({ page: "history" })} aria-current={here === "history" ? "page" : undefined}>
        <Icon name="history" />
        <span>{t.nav.history}</span>
      </a>
      <button type="button" class="rail-help" onClick={onHelp}>
        <Icon name="keyboard" />
        <span>{t.nav.keys}</span>
      </button>
      <SignOut />
    </nav>
  );
}

const SURE_MILLISECONDS = 4000;

/** Signing out wipes the drafts, so it is asked twice. */
function SignOut() {
  const sure = useSignal(false);
  async function press(): Promise<void> {
    if (!sure.value) {
      sure.value = true;
      setTimeout(() => (sure.value = false), SURE_MILLISECONDS);
      return;
    }
    drafts.peek().wipe();
    // The device forgets at once; the server is told where it can be reached.
    await endSession().catch(() => undefined);
    dropSession();
  }
  return (
    <button type="button" class={sure.value ? "sure" : ""} onClick={() => void press()}>
      <Icon name="leave" />
      <span>{sure.value ? t.nav.signOutSure : t.nav.signOut}</span>
    </button>
  );
}
