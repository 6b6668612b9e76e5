import { Lev, type LevUser } from '@core/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import type { Hex, Wallet } from '../chain/wallet.ts';
import { followService } from '../live/followService.ts';
import { WatchedSocket } from '../live/watchedSocket.ts';
import type { PageConfig } from '../pageConfig.ts';
import { followBrowserWallets } from './browserWallets.ts';
import { namedWalletOf } from './namedWallet.ts';
import { signIn, signOut, tokenOf } from './sessionClient.ts';

/** User of the page with their SDK client. */
export interface Session {
  readonly config: PageConfig;
  readonly user: LevUser;
  /** Address of the signed-in wallet; null for a visitor. */
  readonly address: Hex | null;
  /** Signer of the address; null while no browser wallet offers it. */
  readonly wallet: Wallet | null;
  readonly wallets: readonly Wallet[];
  readonly signIn: (wallet: Wallet) => Promise<void>;
  readonly signOut: () => Promise<void>;
}

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('the session provider is missing');
  return session;
}

/** Return the wallets of the local chain and of the browser. */
function useWallets(config: PageConfig): readonly Wallet[] {
  const [wallets, setWallets] = useState(() => config.accounts.map((account) => namedWalletOf(account, config)));
  useEffect(
    () =>
      followBrowserWallets(config, {
        onWallet: (wallet) => setWallets((known) => [...known, wallet]),
        // A new list has the owner of the address looked up again.
        onChange: () => setWallets((known) => [...known]),
      }),
    [config],
  );
  return wallets;
}

/** Return the wallet that signs for an address, restored after a reload. */
function useWalletOf(address: Hex | null, wallets: readonly Wallet[]): Wallet | null {
  const [found, setFound] = useState<Wallet | null>(null);
  useEffect(() => {
    let isOver = false;
    setFound(null);
    if (address === null) return undefined;
    const find = async (): Promise<void> => {
      const owners = await Promise.all(wallets.map(async (wallet) => ((await wallet.has(address)) ? wallet : null)));
      if (!isOver) setFound(owners.find((wallet) => wallet !== null) ?? null);
    };
    void find();
    return () => {
      isOver = true;
    };
  }, [address, wallets]);
  return found;
}

interface SessionProviderProps {
  readonly config: PageConfig;
  /** Address that was signed in when the page opened; null for a visitor. */
  readonly first: Hex | null;
  readonly children: ReactNode;
}

export function SessionProvider({ config, first, children }: SessionProviderProps) {
  const queries = useQueryClient();
  const wallets = useWallets(config);
  const [address, setAddress] = useState(first);
  const wallet = useWalletOf(address, wallets);
  const user = useMemo(() => {
    const lev = new Lev({ baseUrl: config.apiUrl, surroundings: { WebSocket: WatchedSocket } });
    return lev.asUser(() => tokenOf(address));
  }, [config, address]);
  useEffect(() => {
    const ending = new AbortController();
    followService(user, queries, ending.signal);
    return () => ending.abort();
  }, [user, queries]);
  const become = (next: Hex | null): void => {
    queries.clear();
    setAddress(next);
  };
  const session: Session = {
    config,
    user,
    address,
    wallet,
    wallets,
    signIn: async (chosen) => become(await signIn(chosen)),
    signOut: async () => {
      await signOut();
      become(null);
    },
  };
  return <SessionContext value={session}>{children}</SessionContext>;
}
