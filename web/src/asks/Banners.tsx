import { useEffect, useRef } from "preact/hooks";
import { update } from "../api/client";
import type { Notice } from "../inbox/messages";
import { t } from "../strings";
import { Claim } from "../ui/Claim";
import { Icon } from "../ui/Icon";
import { Time } from "../ui/Time";
import { link, messages } from "./desk";

/** What concerns the page as a whole, above everything else. */
export function Banners() {
  return (
    <div class="banners" role="status">
      {link.value === "lost" && <p class="banner warn">{t.banner.lost}</p>}
      {update.value === "ready" && (
        <p class="banner">
          {t.banner.ready}
          <button type="button" class="button small" onClick={() => location.reload()}>{t.reload}</button>
        </p>
      )}
      {messages.notices.value.map((notice) => <NoticeBanner key={notice.id} notice={notice} />)}
    </div>
  );
}

/** Something new may now act for the person: it stays until they have seen it. */
function NoticeBanner({ notice }: { readonly notice: Notice }) {
  const words = t.banner.notices[notice.action];
  return (
    <p class="banner notice">
      <Icon name="bell" />
      <span>
        <Claim text={words?.(notice.label ?? "") ?? notice.action} /> · <Time at={notice.at} />
      </span>
      <button type="button" class="button quiet icon-only" aria-label={t.banner.dismiss} onClick={() => messages.dismiss(notice.id)}>
        <Icon name="close" />
      </button>
    </p>
  );
}

/** The server refuses this page: nothing on it works until it is loaded anew. */
export function Blocked() {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div class="stale" role="alertdialog" aria-modal="true" aria-labelledby="blocked-title" aria-describedby="blocked-lead">
      <h2 id="blocked-title">{t.banner.blockedTitle}</h2>
      <p id="blocked-lead">{t.banner.blocked}</p>
      <button type="button" class="button primary" ref={button} onClick={() => location.reload()}>{t.reload}</button>
    </div>
  );
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {messages.toasts.value.map((toast) => (
        <p class="toast" key={toast.id}>
          <Claim text={toast.text} code />
          {toast.link && <a href={toast.link.to}>{toast.link.text}</a>}
        </p>
      ))}
    </div>
  );
}
