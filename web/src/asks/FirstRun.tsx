import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { readConnections, type ConnectionLine } from "../api/client";
import { t } from "../strings";
import { Copy } from "../ui/Copy";
import { Mark } from "../ui/Icon";
import { Tabs } from "../ui/Tabs";

/** Nothing was ever asked: how to connect the first agent. The first ask replaces this page by itself. */
export default function FirstRun() {
  const lines = useSignal<readonly ConnectionLine[] | "failed" | undefined>(undefined);
  useEffect(() => {
    readConnections().then(
      (read) => (lines.value = read),
      () => (lines.value = "failed"),
    );
  }, []);
  return (
    <main id="main" class="alone first-run" tabIndex={-1}>
      <p class="brand"><Mark /> {t.product}</p>
      <h1>{t.first.title}</h1>
      <p>{t.first.lead}</p>
      <Lines lines={lines.value} />
      <p>{t.first.then}</p>
      <p class="first-wait" role="status"><span class="dot live" /> {t.first.waiting}</p>
    </main>
  );
}

function Lines({ lines }: { readonly lines: readonly ConnectionLine[] | "failed" | undefined }) {
  if (lines === "failed") return <p class="failure" role="alert">{t.first.failed}</p>;
  if (lines === undefined) return <p class="muted">{t.loading}</p>;
  const tabs = lines.map(({ client, command }) => ({
    name: client,
    content: (
      <div class="command">
        <code>{command}</code>
        <Copy text={command} />
      </div>
    ),
  }));
  return <Tabs label={t.first.clients} tabs={tabs} />;
}
