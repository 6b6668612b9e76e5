// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IncomeRelease} from "../../src/libraries/IncomeRelease.sol";
import {CampaignLedger} from "./CampaignLedger.sol";

/// @notice I27: every view answers what the events before it say.
abstract contract LedgerAssertions is CampaignLedger {
    using IncomeRelease for IncomeRelease.Income;

    function assertBookAsFolded() internal view {
        ILiquidityPool.Book memory book = pool.bookOf();
        assertEq(figures.idle, book.idleUsdcUnits, "I27 idle");
        assertEq(figures.loans - impairedUsdcUnits, book.lentUsdcUnits, "I27 lent");
        assertEq(impairedUsdcUnits, book.impairedUsdcUnits, "I27 impaired");
        assertEq(income.unreleased(block.timestamp), book.unreleasedUsdcUnits, "I27 income not released yet");
        assertEq(figures.reserve, book.reserveUsdcUnits, "I27 reserve");
        assertEq(figures.treasuryOwed, book.treasuryOwedUsdcUnits, "I27 treasury");
        assertEq(escrowedShares, pool.requestedShares(), "I27 escrow");
        assertEq(allShares, pool.totalSupply(), "I27 all shares");
    }

    /// @dev Every field of a position and of its order. The buffer of an exit is emitted by the opening and by no event
    /// before it, so that of a position which is not open yet, or never was, is not compared.
    function assertLineAsFolded(
        bytes32 key,
        IVault.Position memory p,
        IVault.LiveOrder memory live,
        uint256 cash
    ) internal view {
        Line storage line = lines[key];
        assertEq(uint256(line.cash), cash, "I6 paid in = paid out + what the account holds");
        IVault.Position memory folded = line.position;
        if (!line.opened) folded.exitBufferBps = p.exitBufferBps;
        if (keccak256(abi.encode(folded, line.order)) == keccak256(abi.encode(p, live))) return;
        assertTermsEqual(folded, p);
        assertChangingEqual(folded, p);
        assertOrdersEqual(line.order, live);
        revert Untrue("I27 a field without a name");
    }

    /// @dev Compare the terms that are signed or chosen at creation.
    function assertTermsEqual(IVault.Position memory folded, IVault.Position memory p) private pure {
        assertEq(folded.user, p.user, "I27 user");
        assertEq(folded.outcomeId, p.outcomeId, "I27 outcome");
        assertEq(folded.originationFeeBps, p.originationFeeBps, "I27 origination fee");
        assertEq(folded.lifetimeFeeAprBps, p.lifetimeFeeAprBps, "I27 lifetime fee");
        assertEq(folded.liquidationFeeBps, p.liquidationFeeBps, "I27 liquidation fee");
        assertEq(folded.maxLiquidationPricePips, p.maxLiquidationPricePips, "I27 highest liquidation price");
        assertEq(folded.minFillBps, p.minFillBps, "I27 minimum fill");
        assertEq(folded.collateralUsdcUnits, p.collateralUsdcUnits, "I27 collateral");
        assertEq(folded.notionalUsdcUnits, p.notionalUsdcUnits, "I27 notional");
        assertEq(folded.venueFeeUsdcUnits, p.venueFeeUsdcUnits, "I27 venue fee");
    }

    /// @dev Compare the figures that change during a life.
    function assertChangingEqual(IVault.Position memory folded, IVault.Position memory p) private pure {
        assertEq(uint256(folded.state), uint256(p.state), "I27 state");
        assertEq(folded.exitBufferBps, p.exitBufferBps, "I27 exit buffer");
        assertEq(folded.closeMinPricePips, p.closeMinPricePips, "I27 minimum price of a close");
        assertTrue(folded.cancelRequested == p.cancelRequested, "I27 cancel asked");
        assertEq(folded.since, p.since, "I27 since");
        assertEq(folded.createdAt, p.createdAt, "I27 creation");
        assertEq(folded.minPositionTokenUnits, p.minPositionTokenUnits, "I27 least tokens");
        assertEq(folded.principalUsdcUnits, p.principalUsdcUnits, "I27 principal");
        assertEq(folded.pendingFeeUsdcUnits, p.pendingFeeUsdcUnits, "I27 pending fee");
        assertEq(folded.badDebtUsdcUnits, p.badDebtUsdcUnits, "I27 bad debt");
        assertEq(folded.filledUsdcUnits, p.filledUsdcUnits, "I27 filled");
        assertEq(folded.originalTokenUnits, p.originalTokenUnits, "I27 original tokens");
        assertEq(folded.tokenUnits, p.tokenUnits, "I27 tokens");
        assertEq(folded.closeTokenUnits, p.closeTokenUnits, "I27 tokens asked to close");
    }

    function assertOrdersEqual(IVault.LiveOrder memory folded, IVault.LiveOrder memory live) private pure {
        assertEq(folded.orderHash, live.orderHash, "I27 outstanding order");
        assertEq(folded.makerAmount, live.makerAmount, "I27 size of the order");
        assertEq(folded.validUntil, live.validUntil, "I27 validity of the order");
        assertEq(uint256(folded.purpose), uint256(live.purpose), "I27 purpose of the order");
    }

    function assertGrantAsFolded(bytes32 key, IVault.LiveGrant memory grant) internal view {
        IVault.LiveGrant memory folded = lines[key].grant;
        assertEq(folded.filledUnits, grant.filledUnits, "I27 filled part of the grant");
        assertEq(keccak256(abi.encode(folded)), keccak256(abi.encode(grant)), "I27 outstanding grant");
    }

    function assertSharesAsFolded(address who) internal view {
        assertEq(freeShares[who], pool.balanceOf(who), "I27 shares");
        ILiquidityPool.RedeemRequest memory request = pool.redeemRequestOf(who);
        assertEq(askedShares[who], request.shares, "I27 shares in escrow");
        assertEq(askedCap(who), request.capUsdcUnits, "I27 what they bring at most");
        assertEq(maturesAt[who], request.maturesAt, "I27 when they may leave");
    }

    function assertPurseAsFolded(address who) internal view {
        assertEq(uint256(purses[who]), usdc.balanceOf(who), "I6 received what the events say");
    }
}
