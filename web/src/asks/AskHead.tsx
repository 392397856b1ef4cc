import type { RefObject } from "preact";
import type { Ask } from "../contract";
import { titleOf } from "../inbox/titles";
import { t } from "../strings";
import { Claim } from "../ui/Claim";
import { Icon } from "../ui/Icon";
import { Time } from "../ui/Time";
import { hrefOf, hrefOfAsk, inProject, listPage } from "./place";
import { Presence } from "./Presence";

interface Props {
  readonly ask: Ask;
  readonly title: RefObject<HTMLHeadingElement | null>;
}

/** What the ask is, who claims to ask, and whether they are there. */
export function AskHead({ ask, title }: Props) {
  return (
    <header class="ask-head">
      <p class="ask-kind">
        <a class="ask-back" href={hrefOf(inProject({ page: listPage.value }))} aria-label={t.back}>
          <Icon name="back" />
        </a>
        <Icon name={ask.kind} /> {t.kind[ask.kind]}
        <Presence ask={ask} long />
      </p>
      <h1 id="ask-title" ref={title} tabIndex={-1}>
        <Claim text={titleOf(ask)} code />
      </h1>
      <p class="ask-meta">
        <Claim text={ask.project ?? t.noProject} class="tag" />
        {ask.client !== undefined && <Claim text={ask.client} class="tag" />}
        {ask.raisedBy?.name !== undefined && <span>{t.ask.raisedBy(ask.raisedBy.name)}</span>}
        <span>{t.ask.asked} <Time at={ask.createdAt} /></span>
        {ask.kind === "review" && ask.revises !== undefined && <a href={hrefOfAsk(ask.revises)}>{t.ask.revises}</a>}
      </p>
    </header>
  );
}
