import { Link, Outlet } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import type { Wallet } from './chain/wallet.ts';
import { notices } from './live/followService.ts';
import { linkState } from './live/watchedSocket.ts';
import { errorText } from './parts/errorText.ts';
import { useSession } from './session/SessionProvider.tsx';

/** What stands around every page. */
export function Frame() {
  return (
    <>
      <a className="skip" href="#main" onClick={focusMain}>
        Skip to the page
      </a>
      <header>
        <nav aria-label="Pages">
          <Link to="/">Markets</Link>
          <Link to="/portfolio">Portfolio</Link>
          <Link to="/pool">Pool</Link>
          <LocalLinks />
          <a href="./exit.html">Exit page</a>
        </nav>
        <Account />
      </header>
      <LinkBanner />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Notices />
    </>
  );
}

/** Pages that only the console of one's own machine has. */
function LocalLinks() {
  const { config } = useSession();
  return (
    <>
      {config.hasVenueControl ? <Link to="/break-it">Break it</Link> : null}
      {config.hasOperations ? <Link to="/operate">Operate</Link> : null}
    </>
  );
}

/** The address behind `#` is the page's own: the link moves the focus instead. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

function LinkBanner() {
  const { isCut } = useSyncExternalStore(linkState.subscribe, linkState.get);
  return (
    <div role="status">
      {isCut ? <p className="banner">The live connection is cut: figures may be old. Connecting again …</p> : null}
    </div>
  );
}

function Notices() {
  const shown = useSyncExternalStore(notices.subscribe, notices.get);
  return (
    <ul className="notices" aria-live="polite" aria-label="Notifications">
      {shown.map(({ id, text }) => (
        <li key={id}>{text}</li>
      ))}
    </ul>
  );
}

function Account() {
  const { address, wallets, signIn, signOut } = useSession();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = (work: Promise<void>): void => {
    setBusy(true);
    setError(null);
    void work.catch(setError).finally(() => setBusy(false));
  };
  if (address !== null) {
    return (
      <div className="account">
        <code title={address}>{`${address.slice(0, 6)}…${address.slice(-4)}`}</code>
        <button type="button" className="quiet" disabled={isBusy} onClick={() => run(signOut())}>
          Sign out
        </button>
      </div>
    );
  }
  return (
    <div className="account">
      <details>
        <summary>Sign in</summary>
        <ul>
          {wallets.map((wallet: Wallet) => (
            <li key={wallet.name}>
              <button type="button" disabled={isBusy} onClick={() => run(signIn(wallet))}>
                {wallet.name}
              </button>
            </li>
          ))}
        </ul>
        {wallets.length === 0 ? <p className="hint">This browser has no wallet.</p> : null}
      </details>
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
    </div>
  );
}
