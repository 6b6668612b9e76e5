// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "./interfaces/IVault.sol";

/// @notice A position in five words: who and on which terms (never written again); the opening; what it is now, with
/// its outstanding order; the rest, which most positions never need; the hash of the order.
/// @dev USDC and tokens in 48 bits (281 million USD, or tokens), times in 32 (until the year 2106). The collateral is
/// notional / leverage, exactly.
/// IVault.Position says what the fields mean. orderPurpose None: there is no outstanding order. orderAlarmEndsAt names
/// the alarm under which an order was granted last, if one ever was.
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
}
