// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {LedgerAssertions} from "./LedgerAssertions.sol";

/// @notice I27: folding the events from the start rebuilds the ledger, unit by unit.
contract LedgerTest is LedgerAssertions {
    function setUp() public override {
        vm.recordLogs();
        super.setUp();
    }

    /// @dev One table for both: the service's is written down as numbers by its own test.
    function test_I15_moves_are_those_the_service_knows() public view {
        string memory json = vm.readFile("../packages/position/testing/positionTransitions.json");
        for (uint256 i = 0; i <= uint256(type(Move).max); ++i) {
            (IVault.PositionState from, IVault.PositionState to) = legalMove(Move(i));
            string memory place = string.concat(".moves[", vm.toString(i), "]");
            assertEq(vm.parseJsonUint(json, string.concat(place, ".from")), uint256(from), "from");
            assertEq(vm.parseJsonUint(json, string.concat(place, ".to")), uint256(to), "to");
        }
        assertEq(vm.parseJsonUint(json, ".count"), uint256(type(Move).max) + 1, "as many moves");
    }

    function test_I27_folding_events_rebuilds_the_ledger() public {
        bytes32[6] memory keys;
        for (uint128 i = 0; i < 6; ++i) {
            keys[i] = create(requestOf(bytes16((i + 1) << 100), 100e6, 30_000), alice);
        }
        vm.prank(alice, alice);
        vault.cancelPosition(keys[5]);
        for (uint256 i = 0; i < 5; ++i) {
            fillWhole(authorizeOpen(keys[i], 5_000), 9e6);
            finalize(keys[i]);
        }
        pass(10 days);
        vm.startPrank(alice, alice);
        vault.addMargin(keys[0], 50e6);
        vault.requestClose(keys[1], 300e6, 0);
        vault.exitByRepaying(keys[2], alice);
        vm.stopPrank();
        sell(keys[1], IVault.Purpose.Close, 300e6, 6_000);
        sell(keys[3], IVault.Purpose.Liquidate, 600e6, 3_000);
        pool.payTreasury();
        vm.startPrank(lp, lp);
        pool.requestRedeem(pool.balanceOf(lp) / 10, 0);
        pass(24 hours);
        pool.redeem(pool.maxRedeem(lp), lp, lp);
        vm.stopPrank();
        pass(3 days);
        vm.prank(guardian, guardian);
        vault.impair(keys[4], true);
        resolve(1, 0);
        vault.settle(keys[4]);
        vault.settle(keys[1]);

        fold(vm.getRecordedLogs());
        assertBookAsFolded();
        for (uint256 i = 0; i < 6; ++i) {
            IVault.LiveOrder memory live = vault.liveOrderOf(keys[i]);
            assertLineAsFolded(keys[i], vault.positionOf(keys[i]), live, cashOf(keys[i]));
        }
        assertPurseAsFolded(alice);
        assertPurseAsFolded(lp);
        assertPurseAsFolded(treasury);
    }

    /// @dev Time passes between blocks: what happened is folded while its block is the latest.
    function pass(uint256 elapsed) private {
        fold(vm.getRecordedLogs());
        skip(elapsed);
    }
}

/// @notice The same on the second ledger, whose tokens its module redeems.
contract ManagedLedgerTest is LedgerAssertions {
    function setUp() public override {
        vm.recordLogs();
        super.setUp();
    }

    function isManaged() internal pure override returns (bool) {
        return true;
    }

    function test_I27_folding_a_settlement_counts_what_the_module_pays() public {
        bytes32 key = openByFill();
        resolve(37, 63);
        vault.settle(key);

        fold(vm.getRecordedLogs());
        assertBookAsFolded();
        assertLineAsFolded(key, vault.positionOf(key), vault.liveOrderOf(key), cashOf(key));
        assertPurseAsFolded(alice);
    }
}
