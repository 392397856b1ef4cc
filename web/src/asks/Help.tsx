import { t } from "../strings";
import { Dialog } from "../ui/Dialog";

export default function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t.keys.title} onClose={onClose}>
      <div class="keys">
        {t.keys.groups.map(([name, keys]) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {keys.map(([press, does]) => (
                <div key={press}>
                  <dt>{press.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
