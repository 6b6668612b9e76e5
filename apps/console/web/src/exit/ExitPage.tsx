import { type FormEvent, useState } from 'react';
import type { Hex, Wallet } from '../chain/wallet.ts';
import type { PageConfig } from '../pageConfig.ts';
import { errorText } from '../parts/errorText.ts';
import { followBrowserWallets } from '../session/browserWallets.ts';
import { namedWalletOf } from '../session/namedWallet.ts';
import { ExitList, type Found } from './ExitList.tsx';
import { type ExitPlace, readChainId, readHoldings, readPoolShare } from './readHoldings.ts';

type Connected = { readonly place: ExitPlace; readonly wallets: readonly Wallet[] };

/** The way out that needs a node and nothing else: no service, keeper, database or venue. */
export function ExitPage({ config }: { readonly config: PageConfig | null }) {
  const [connected, setConnected] = useState<Connected | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = (work: () => Promise<void>): void => {
    setError(null);
    void work().catch(setError);
  };
  const connect = (place: ExitPlace): void =>
    run(async () => {
      const chainId = await readChainId(place.rpcUrl);
      const isKnown = config?.chainId === chainId;
      const named = isKnown ? config.accounts.map((one) => namedWalletOf(one, { ...place, chainId })) : [];
      setFound(null);
      setConnected({ place, wallets: named });
      followBrowserWallets(chainId, (wallet) =>
        setConnected((now) => now && { ...now, wallets: [...now.wallets, wallet] }),
      );
    });
  const look = (place: ExitPlace, wallet: Wallet): void =>
    run(async () => {
      const address = await wallet.connect();
      const [holdings, share] = await Promise.all([readHoldings(place, address), readPoolShare(place, address)]);
      setFound({ place, wallet, address, holdings, share });
    });
  return (
    <main>
      <h1>Exit page</h1>
      <p>
        Here you take out everything you own with your wallet. The page needs only the RPC address of a node of the
        chain: it works when the service is down, and from any web server or a copy of its files.
      </p>
      <PlaceForm config={config} onPlace={connect} />
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
      {connected === null ? null : (
        <section aria-label="Wallets">
          <h2>Your wallet</h2>
          <div className="bar">
            {connected.wallets.map((wallet) => (
              <button key={wallet.name} type="button" onClick={() => look(connected.place, wallet)}>
                {wallet.name}
              </button>
            ))}
          </div>
          {connected.wallets.length === 0 ? <p className="hint">This browser has no wallet.</p> : null}
        </section>
      )}
      {found === null ? null : <ExitList found={found} onChange={() => look(found.place, found.wallet)} />}
    </main>
  );
}

const fields = [
  { name: 'rpcUrl', label: 'Address of a node (RPC)', pattern: 'https?://.+' },
  { name: 'vault', label: 'Vault contract', pattern: '0x[0-9a-fA-F]{40}' },
  { name: 'pool', label: 'Pool contract', pattern: '0x[0-9a-fA-F]{40}' },
] as const;

interface PlaceFormProps {
  readonly config: PageConfig | null;
  readonly onPlace: (place: ExitPlace) => void;
}

function PlaceForm({ config, onPlace }: PlaceFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const textOf = (name: string): string => String(given.get(name) ?? '').trim();
    onPlace({ rpcUrl: textOf('rpcUrl'), vault: textOf('vault') as Hex, pool: textOf('pool') as Hex });
  };
  return (
    <form className="card" onSubmit={submit} aria-label="Chain">
      {fields.map(({ name, label, pattern }) => (
        <label key={name}>
          {label}
          <input name={name} required pattern={pattern} defaultValue={config?.[name] ?? ''} />
        </label>
      ))}
      <button type="submit">Connect</button>
    </form>
  );
}
