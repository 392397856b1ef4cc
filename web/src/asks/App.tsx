import { update } from "../api/client";
import { lazy } from "../content/lazy";
import { t } from "../strings";
import { Guard } from "../ui/Guard";
import { Blocked } from "./Banners";
import { signedIn } from "./desk";
import { route } from "./place";
import { Shell } from "./Shell";

const SignIn = lazy(() => import("./SignIn"), () => null);

export function App() {
  const isBlocked = update.value === "blocked";
  return (
    <Guard fallback={() => <Broken />}>
      <div class="page" inert={isBlocked}>
        <Page />
      </div>
      {isBlocked && <Blocked />}
    </Guard>
  );
}

function Page() {
  return signedIn.value && route.value.page !== "sign-in" ? <Shell /> : <SignIn />;
}

function Broken() {
  return (
    <main class="alone">
      <h1>{t.broken.title}</h1>
      <p role="alert">{t.broken.lead}</p>
      <button type="button" class="button primary" onClick={() => location.reload()}>
        {t.reload}
      </button>
    </main>
  );
}
