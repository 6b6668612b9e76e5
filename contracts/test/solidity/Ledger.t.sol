// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {PoolBook} from "../../src/libraries/PoolBook.sol";
import {VaultFixture} from "./VaultFixture.sol";
import {Vm} from "./Vm.sol";

/// @notice I27: folding the events from the start rebuilds the ledger, unit by unit.
contract LedgerTest is VaultFixture {
    using PoolBook for PoolBook.Figures;

    mapping(bytes32 key => uint256 usdcUnits) private principal;
    mapping(bytes32 key => uint256 tokenUnits) private held;

    function setUp() public override {
        vm.recordLogs();
        super.setUp();
    }

    function test_I27_folding_events_rebuilds_the_ledger() public {
        bytes32[6] memory keys;
        for (uint128 i = 0; i < 6; ++i) {
            keys[i] = create(requestOf(bytes16((i + 1) << 100), 100e6, 30_000), alice);
        }
        vm.prank(alice);
        vault.cancelPosition(keys[5]);
        for (uint256 i = 0; i < 5; ++i) {
            fillWhole(authorizeOpen(keys[i], 5_000), 9e6);
            finalize(keys[i]);
        }
        skip(10 days);
        vm.startPrank(alice);
        vault.addMargin(keys[0], 50e6);
        vault.requestClose(keys[1], 300e6, 0);
        vault.exitByRepaying(keys[2], alice);
        vm.stopPrank();
        sell(keys[1], IVault.Purpose.Close, 300e6, 6_000);
        sell(keys[3], IVault.Purpose.Liquidate, 600e6, 3_000);
        pool.payTreasury();
        vm.startPrank(lp);
        pool.requestRedeem(pool.balanceOf(lp) / 10);
        skip(24 hours);
        pool.redeem(pool.maxRedeem(lp), lp, lp);
        vm.stopPrank();
        skip(60 days);
        vm.prank(owner);
        vault.writeOff(keys[4]);
        resolve(1, 0);
        vault.settle(keys[4]);
        vault.settle(keys[1]);

        PoolBook.Figures memory f = fold(vm.getRecordedLogs());
        ILiquidityPool.Book memory book = pool.bookOf();
        assertEq(f.idle, book.idleUsdcUnits, "idle");
        assertEq(f.lent, book.lentUsdcUnits, "lent");
        assertEq(f.reserve, book.reserveUsdcUnits, "reserve");
        assertEq(f.treasuryOwed, book.treasuryOwedUsdcUnits, "treasury");
        for (uint256 i = 0; i < 6; ++i) {
            assertEq(principal[keys[i]], principalOf(keys[i]), "principal");
            assertEq(held[keys[i]], vault.positionOf(keys[i]).tokenUnits, "tokens");
        }
    }

    function fold(Vm.Log[] memory logs) private returns (PoolBook.Figures memory f) {
        ILiquidityPool.Parameters memory p;
        for (uint256 i = 0; i < logs.length; ++i) {
            bytes32 topic = logs[i].topics.length == 0 ? bytes32(0) : logs[i].topics[0];
            bytes memory data = logs[i].data;
            if (logs[i].emitter == address(vault)) {
                foldVault(topic, logs[i].topics, data);
                continue;
            }
            if (logs[i].emitter != address(pool)) continue;
            if (topic == ILiquidityPool.ParametersChanged.selector) p = abi.decode(data, (ILiquidityPool.Parameters));
            if (topic == keccak256("Deposit(address,address,uint256,uint256)")) f.idle += first(data);
            if (topic == ILiquidityPool.Redeemed.selector) f.idle -= second(data);
            if (topic == ILiquidityPool.ReserveFunded.selector) f.reserve += first(data);
            if (topic == ILiquidityPool.TreasuryPaid.selector) f.treasuryOwed -= first(data);
            if (topic == ILiquidityPool.Lent.selector) {
                f.lend(second(data));
                principal[logs[i].topics[1]] += second(data);
            }
            if (topic == ILiquidityPool.Booked.selector) {
                ILiquidityPool.Booking memory b = abi.decode(data, (ILiquidityPool.Booking));
                f.book(p, b);
                principal[logs[i].topics[1]] -= b.principalUsdcUnits + b.badDebtUsdcUnits;
            }
        }
    }

    function foldVault(bytes32 topic, bytes32[] memory topics, bytes memory data) private {
        if (topic == IVault.PositionOpened.selector) held[topics[1]] = first(data);
        if (topic == IVault.PositionReduced.selector) {
            (, , uint256 left) = abi.decode(data, (uint8, uint256, uint256));
            held[topics[1]] = left;
        }
        if (topic == IVault.PositionExited.selector || topic == IVault.PositionSettled.selector) held[topics[1]] = 0;
    }

    function first(bytes memory data) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(data, 0x20))
        }
    }

    function second(bytes memory data) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(data, 0x40))
        }
    }
}
