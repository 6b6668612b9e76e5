import { type FormEvent, useState } from 'react';
import { isHex } from '../chain/isHex.ts';
import type { Wallet } from '../chain/wallet.ts';
import type { PageConfig } from '../pageConfig.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { errorText } from '../parts/errorText.ts';
import { followBrowserWallets } from '../session/browserWallets.ts';
import { namedWalletOf } from '../session/namedWallet.ts';
import { ExitList } from './ExitList.tsx';
import type { ExitOwner } from './exitOwner.ts';
import { type ExitSource, readChainId } from './readHoldings.ts';

type Connected = { readonly source: ExitSource; readonly chainId: number; readonly wallets: readonly Wallet[] };

/** Exit that needs only a node: no service, keeper, database or venue. */
export function ExitPage({ config }: { readonly config: PageConfig | null }) {
  const [connected, setConnected] = useState<Connected | null>(null);
  const [owner, setOwner] = useState<ExitOwner | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = (work: () => Promise<void>): void => {
    setError(null);
    void work().catch(setError);
  };
  const connect = (source: ExitSource): void =>
    run(async () => {
      const chainId = await readChainId(source.rpcUrl);
      const isKnown = config?.chainId === chainId;
      const named = isKnown ? config.accounts.map((one) => namedWalletOf(one, { ...source, chainId })) : [];
      setOwner(null);
      setConnected({ source, chainId, wallets: named });
      followBrowserWallets(
        { ...source, chainId },
        { onWallet: (wallet) => setConnected((now) => now && { ...now, wallets: [...now.wallets, wallet] }) },
      );
    });
  const choose = ({ source, chainId }: Connected, wallet: Wallet): void =>
    run(async () => setOwner({ source, chainId, wallet, address: await wallet.connect() }));
  return (
    <main>
      {config === null ? null : (
        <p>
          <a href="./">← Markets</a>
        </p>
      )}
      <h1>Exit page</h1>
      <p>
        Withdraw everything you own with your wallet. This page needs only the RPC address of a node: it works when the
        service is down, and from any web server or a copy of its files.
      </p>
      <SourceForm config={config} onSource={connect} />
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
      {connected === null ? null : (
        <section aria-label="Wallets">
          <h2>Your wallet</h2>
          <div className="bar">
            {connected.wallets.map((wallet) => (
              <button key={wallet.name} type="button" onClick={() => choose(connected, wallet)}>
                {wallet.name}
              </button>
            ))}
          </div>
          {connected.wallets.length === 0 ? <p className="hint">This browser has no wallet.</p> : null}
        </section>
      )}
      {owner === null ? null : (
        <Boundary>
          <ExitList key={owner.address} owner={owner} />
        </Boundary>
      )}
    </main>
  );
}

const fields = [
  { name: 'rpcUrl', label: 'Address of a node (RPC)', pattern: 'https?://.+' },
  { name: 'vault', label: 'Vault contract', pattern: '0x[0-9a-fA-F]{40}' },
  { name: 'pool', label: 'Pool contract', pattern: '0x[0-9a-fA-F]{40}' },
] as const;

interface SourceFormProps {
  readonly config: PageConfig | null;
  readonly onSource: (source: ExitSource) => void;
}

function SourceForm({ config, onSource }: SourceFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    const textOf = (name: string): string => String(formData.get(name) ?? '').trim();
    const [vault, pool] = [textOf('vault'), textOf('pool')];
    // The patterns of the fields admit addresses alone.
    if (isHex(vault) && isHex(pool)) onSource({ rpcUrl: textOf('rpcUrl'), vault, pool });
  };
  return (
    <form className="card" onSubmit={submit} aria-label="Chain">
      {fields.map(({ name, label, pattern }) => (
        <label key={name}>
          <span>{label}</span>
          <input name={name} required pattern={pattern} defaultValue={config?.[name] ?? ''} />
        </label>
      ))}
      <button type="submit">Connect</button>
    </form>
  );
}
