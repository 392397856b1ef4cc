import type { Ask } from "../contract";
import { foldBriefing } from "../inbox/briefing";
import { titleOf } from "../inbox/titles";
import { t } from "../strings";
import { Claim } from "../ui/Claim";
import { Icon } from "../ui/Icon";
import { memo } from "../ui/memo";
import { Time } from "../ui/Time";
import { Presence } from "./Presence";

interface Props {
  readonly ask: Ask;
  readonly href: string;
  readonly isOpen: boolean;
}

/** One ask in a list. */
export const Row = memo(function Row({ ask, href, isOpen }: Props) {
  return (
    <li>
      <a class={`row ${ask.status}`} href={href} data-ask={ask.id} aria-current={isOpen ? "true" : undefined}>
        <Icon name={ask.kind} />
        <Claim text={titleOf(ask)} class="row-title" code />
        <span class="row-time"><Time at={ask.closedAt ?? ask.updatedAt} /></span>
        <span class="row-meta">
          <Presence ask={ask} />
          <span><Claim text={ask.project ?? t.noProject} /></span>
          {ask.kind === "briefing" && ask.status !== "closed" && <Left ask={ask} />}
        </span>
      </a>
    </li>
  );
});

function Left({ ask }: { readonly ask: Ask & { kind: "briefing" } }) {
  const { left, order } = foldBriefing(ask);
  return <span>{t.list.left(left, order.length)}</span>;
}
