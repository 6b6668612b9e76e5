import { Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import type { Wallet } from './chain/wallet.ts';
import { linkState } from './live/watchedSocket.ts';
import { loadFailure } from './loadFailure.ts';
import { PaletteHost } from './palette/PaletteHost.tsx';
import { Boundary } from './parts/Boundary.tsx';
import { ExplorerLink } from './parts/ExplorerLink.tsx';
import { errorText } from './parts/errorText.ts';
import { Figure } from './parts/Figure.tsx';
import { Toasts } from './parts/Toasts.tsx';
import { useSession } from './session/SessionProvider.tsx';
import { productName } from './useTitle.ts';

/** Of a local chain only. */
const FaucetButton = lazy(() => import('./session/FaucetButton.tsx'));

/** Header, navigation and messages around every page. */
export function Frame() {
  return (
    <>
      <a className="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <header>
        <Link to="/" className="brand" aria-label={`${productName}, start page`}>
          <img src="./favicon.svg" alt="" width={24} height={24} />
          <Figure>{productName}</Figure>
        </Link>
        <nav aria-label="Pages">
          <MainLinks className="main-link" />
          <Boundary fallback={null}>
            <LocalLinks />
          </Boundary>
          <a href="./exit.html">Exit page</a>
        </nav>
        <Boundary>
          <Account />
        </Boundary>
      </header>
      <Boundary fallback={null}>
        <LoadBanner />
        <LinkBanner />
      </Boundary>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <nav className="tabbar" aria-label="Main pages">
        <MainLinks />
      </nav>
      <Boundary fallback={null}>
        <PaletteHost />
      </Boundary>
      <Boundary fallback={null}>
        <Toasts />
      </Boundary>
    </>
  );
}

/** Links to the trader's pages: in the header, on a phone in the bottom bar. */
function MainLinks({ className }: { readonly className?: string }) {
  return (
    <>
      <Link to="/" className={className}>
        Markets
      </Link>
      <Link to="/portfolio" className={className}>
        Portfolio
      </Link>
      <Link to="/pool" className={className}>
        Pool
      </Link>
    </>
  );
}

/** Links to pages of a local stack. */
function LocalLinks() {
  const { config } = useSession();
  return (
    <>
      {config.hasVenueControl ? <Link to="/break-it">Break it</Link> : null}
      {config.hasOperations ? <Link to="/operate">Operate</Link> : null}
    </>
  );
}

/** Move the focus to the main content. The router uses the address behind `#`, so the link itself cannot. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

/** Banner over a page of which a file is missing. What is typed in a ticket is there again after the reload. */
function LoadBanner() {
  const hasFailed = useSyncExternalStore(loadFailure.subscribe, loadFailure.get);
  if (!hasFailed) return null;
  return (
    <div role="alert" className="banner">
      <p>A part of this page could not be loaded: there is a new version, or no connection. Reload before you go on.</p>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}

function LinkBanner() {
  const { isDisconnected } = useSyncExternalStore(linkState.subscribe, linkState.get);
  return (
    <div role="status">
      {isDisconnected ? <p className="banner">Live connection lost. Figures may be stale. Reconnecting …</p> : null}
    </div>
  );
}

function Account() {
  const { config, address, wallet: signedIn, wallets, signIn, signOut } = useSession();
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
        <span title={address} translate="no">
          {signedIn === null ? null : <span>{`${signedIn.name} · `}</span>}
          <code>
            <ExplorerLink
              kind="address"
              id={address}
              explorerUrl={config.explorerUrl}
              text={`${address.slice(0, 6)}…${address.slice(-4)}`}
            />
          </code>
        </span>
        {config.accounts.length === 0 ? null : (
          <Suspense fallback={null}>
            <FaucetButton address={address} />
          </Suspense>
        )}
        <button type="button" className="quiet small" disabled={isBusy} onClick={() => run(signOut())}>
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
        {wallets.length === 0 ? <p className="hint">No wallet found in this browser.</p> : null}
      </details>
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
    </div>
  );
}
