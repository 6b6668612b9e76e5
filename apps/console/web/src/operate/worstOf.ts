import type { ExitFacts, KeeperFacts } from '../../../src/operateMessage.ts';

/** Combine all keepers into one, with the worst value of each fact; null without any. */
export function worstOf(keepers: readonly KeeperFacts[]): Omit<KeeperFacts, 'address'> | null {
  const [first, ...others] = keepers;
  if (first === undefined) return null;
  return others.reduce<Omit<KeeperFacts, 'address'>>(
    (worst, one) => ({
      shares: [...worst.shares, ...one.shares],
      heartbeat_age_ms: Math.max(worst.heartbeat_age_ms, one.heartbeat_age_ms),
      is_venue_taking_orders: worst.is_venue_taking_orders && one.is_venue_taking_orders,
      is_price_signer_answering: worst.is_price_signer_answering && one.is_price_signer_answering,
      ...(respondingCount(one) < respondingCount(worst) ? signersOf(one) : signersOf(worst)),
      unseen_markets: [...new Set([...worst.unseen_markets, ...one.unseen_markets])],
      exits: worst.exits.map((exit) => slowerOf(exit, one.exits)),
    }),
    first,
  );
}

type SignerFacts = Pick<KeeperFacts, 'required_signatures' | 'price_signers'>;
const signersOf = ({ required_signatures, price_signers }: SignerFacts): SignerFacts => ({
  required_signatures,
  price_signers,
});

/** Count the price signers that respond and that the vault accepts. */
export function respondingCount({ price_signers }: Pick<KeeperFacts, 'price_signers'>): number {
  return price_signers.filter((signer) => signer.is_answering && signer.is_appointed).length;
}

function slowerOf(exit: ExitFacts, others: readonly ExitFacts[]): ExitFacts {
  const other = others.find(({ category }) => category === exit.category) ?? exit;
  return other.exit_seconds > exit.exit_seconds || !other.is_open ? other : exit;
}
