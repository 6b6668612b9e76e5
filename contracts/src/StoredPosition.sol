// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "./interfaces/IVault.sol";

/// @notice A position in six words: who and on which terms (never written again); the opening; what it is now, with
/// its outstanding order; the rest, which most positions never need; the hash of the order on the exchange; the grant
/// that anyone may fill. An outstanding order of the exchange has a hash, an outstanding grant has none.
/// @dev USDC and tokens in 48 bits (281 million USD, or tokens), times in 32 (until the year 2106). The collateral is
/// notional / leverage, exactly.
/// IVault.Position says what the fields mean. orderPurpose None: there is no outstanding order. orderAlarmEndsAt names
/// the alarm under which an order was granted last, if one ever was. Of a grant, orderMakerAmount is the most it trades
/// and orderValidUntil the last second of a fill.
struct StoredPosition {
    address user;
    uint32 outcomeId;
    uint16 originationFeeBps;
    uint16 lifetimeFeeAprBps;
    uint16 liquidationFeeBps;
    uint16 maxLiquidationPricePips;
    uint24 leverageBps;
    uint48 notionalUsdcUnits;
    uint48 venueFeeUsdcUnits;
    uint48 minPositionTokenUnits;
    uint48 originalTokenUnits;
    uint32 createdAt;
    bool cancelRequested;
    uint48 principalUsdcUnits;
    uint48 tokenUnits;
    uint32 since;
    uint32 orderValidUntil;
    uint48 orderMakerAmount;
    IVault.Purpose orderPurpose;
    IVault.PositionState state;
    uint16 exitBufferBps;
    uint16 minFillBps;
    uint48 closeTokenUnits;
    uint16 closeMinPricePips;
    uint48 pendingFeeUsdcUnits;
    uint48 badDebtUsdcUnits;
    uint48 filledUsdcUnits;
    uint32 orderAlarmEndsAt;
    bytes32 orderHash;
    StoredGrant grant;
}

/// @notice Fields of a grant besides those it shares with an order. IVault.LiveGrant says what the fields mean.
/// isWhole: one fill takes all of it, because it sells below the debt. observedAt and served outlive the grant, so that
/// each consent serves once: served has a bit of each purpose that observations of that second were used for.
struct StoredGrant {
    uint48 filledUnits;
    uint32 startsAt;
    uint32 observedAt;
    uint8 served;
    uint8 validFor;
    uint16 startPips;
    uint16 limitPips;
    uint16 venueFeeBps;
    uint16 markPips;
    bool isWhole;
}
