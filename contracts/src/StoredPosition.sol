// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "./interfaces/IVault.sol";

/// @notice A position in four words: who and on which terms (never written again); the opening; what it is now, with
/// its standing order; the rest, which most positions never need.
/// @dev USDC in 48 bits (281 million USD), tokens in 56 (72 thousand million), times in 32 (until the year 2106).
/// IVault.Position says what the fields mean. orderPurpose None: there is no standing order.
struct StoredPosition {
    address user;
    uint32 outcomeId;
    uint16 originationFeeBps;
    uint16 lifetimeFeeAprBps;
    uint16 liquidationFeeBps;
    uint16 maxLiquidationPricePips;
    uint48 collateralUsdcUnits;
    uint48 notionalUsdcUnits;
    uint48 venueFeeUsdcUnits;
    uint56 originalTokenUnits;
    uint16 minFillBps;
    bool cancelRequested;
    uint48 principalUsdcUnits;
    uint56 tokenUnits;
    uint32 since;
    uint32 orderValidUntil;
    uint56 orderMakerAmount;
    IVault.Purpose orderPurpose;
    IVault.PositionState state;
    uint16 exitBufferBps;
    uint56 closeTokenUnits;
    uint16 closeMinPricePips;
    uint48 pendingFeeUsdcUnits;
    uint48 badDebtUsdcUnits;
    uint48 filledUsdcUnits;
}
