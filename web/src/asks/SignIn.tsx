import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { redeemSession } from "../api/client";
import { Refused } from "../api/problems";
import { keepSession } from "../api/session";
import { t } from "../strings";
import { Copy } from "../ui/Copy";
import { Mark } from "../ui/Icon";
import { hasDrafts, signedIn } from "./desk";
import { go, hrefOf, route } from "./place";

/** What a browser without a session sees, wherever it is; and where a sign-in link leads. */
export default function SignIn() {
  const { page } = route.value;
  const [code] = useState(() => (page === "sign-in" ? location.hash.slice(1) : ""));
  if (page !== "sign-in") return <SignedOut />;
  if (code === "") return signedIn.value ? <Already /> : <SignedOut />;
  return <Redeem code={code} />;
}

/** Redeems the link by a press, never by merely opening it. */
function Redeem({ code }: { readonly code: string }) {
  const busy = useSignal(false);
  const failure = useSignal<string>();

  async function redeem(): Promise<void> {
    busy.value = true;
    failure.value = undefined;
    try {
      const { half, space, actor } = await redeemSession(code);
      keepSession({ half, space, actor });
      // The code leaves the address bar and the history with it.
      go({ page: "inbox" }, { replace: true });
    } catch (error) {
      failure.value = error instanceof Refused ? error.message : t.unreachable;
    } finally {
      busy.value = false;
    }
  }

  return (
    <Alone title={t.signIn.title}>
      <p>{t.signIn.lead}</p>
      <button type="button" class="button primary large" disabled={busy.value} onClick={() => void redeem()}>
        {busy.value ? t.signIn.busy : t.signIn.button}
      </button>
      {failure.value !== undefined && (
        <div role="alert">
          <p class="failure">{t.signIn.failed(failure.value)}</p>
          <p>{t.signIn.fresh}</p>
          <Command />
        </div>
      )}
    </Alone>
  );
}

function SignedOut() {
  return (
    <Alone title={t.signIn.outTitle}>
      <p>{t.signIn.outLead}</p>
      <Command />
      {hasDrafts() && <p class="muted">{t.signIn.kept}</p>}
    </Alone>
  );
}

function Already() {
  return (
    <Alone title={t.signIn.already}>
      <a class="button primary large" href={hrefOf({ page: "inbox" })}>{t.back}</a>
    </Alone>
  );
}

function Command() {
  return (
    <div class="command">
      <code>{t.signIn.command}</code>
      <Copy text={t.signIn.command} />
    </div>
  );
}

function Alone({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · ${t.product}`;
  }, [title]);
  return (
    <main id="main" class="alone">
      <p class="brand"><Mark /> {t.product}</p>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
