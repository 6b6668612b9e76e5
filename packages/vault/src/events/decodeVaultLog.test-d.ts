import type { LeverageBps, TokenUnits, UsdcUnits } from '@core/pricing';
import { expectTypeOf } from 'vitest';
import type { PositionState, Purpose } from '../generated/enums.ts';
import type { poolEventTopics, vaultEventTopics } from '../generated/eventTopics.ts';
import type { LedgerEvent, PoolEvent, VaultEvent } from './decodeVaultLog.ts';

// The name of an event narrows its arguments, and every number with a unit in its name is that quantity.
type EventNamed<Name extends LedgerEvent['name']> = Extract<LedgerEvent, { name: Name }>;

expectTypeOf<EventNamed<'PositionCreated'>['args']['request']['leverageBps']>().toEqualTypeOf<LeverageBps>();
expectTypeOf<EventNamed<'PositionCreated'>['args']['outcomeId']>().toEqualTypeOf<number>();
expectTypeOf<EventNamed<'PositionOpened'>['args']['principalUsdcUnits']>().toEqualTypeOf<UsdcUnits>();
expectTypeOf<EventNamed<'PositionReduced'>['args']['soldTokenUnits']>().toEqualTypeOf<TokenUnits>();
expectTypeOf<EventNamed<'PositionReduced'>['args']['purpose']>().toEqualTypeOf<Purpose>();
expectTypeOf<EventNamed<'PositionReduced'>['args']['state']>().toEqualTypeOf<PositionState>();
expectTypeOf<EventNamed<'PositionReduced'>['args']['distribution']['userUsdcUnits']>().toEqualTypeOf<UsdcUnits>();
expectTypeOf<EventNamed<'ReserveFunded'>['args']['usdcUnits']>().toEqualTypeOf<UsdcUnits>();

// Every event that decoding can bring has a generated topic, and every generated topic an event.
expectTypeOf<VaultEvent['name']>().toEqualTypeOf<keyof typeof vaultEventTopics>();
expectTypeOf<PoolEvent['name']>().toEqualTypeOf<keyof typeof poolEventTopics>();
