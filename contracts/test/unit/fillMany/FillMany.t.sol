// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {BatchFixture} from "../../fixtures/BatchFixture.sol";
import {CallbackFiller} from "../../fixtures/GrantFillers.sol";

/// @notice Several fills in one call: each as alone, and one that is refused costs only itself.
contract FillManyTest is BatchFixture {
    bytes32[] private keys;

    function setUp() public override {
        super.setUp();
        keys = openSeveral(11, 3);
        assertEq(authorizeMany(liquidating(keys)), 3, "granted");
        skip(2);
    }

    // ------------------------------------------------------------ as fill

    function test_each_fill_is_as_alone() public {
        IVault.GrantFill[] memory fills = fillsOf(keys);
        fills[1] = IVault.GrantFill(keys[1], 100e6, 200e6);
        // More than is left is cut at the caller's own ratio.
        (fills[2].giveUnits, fills[2].takeUnits) = (fills[2].giveUnits * 2, fills[2].takeUnits * 2);
        uint256 start = vm.snapshotState();
        bytes32[] memory alone = new bytes32[](3);
        for (uint256 i = 0; i < 3; ++i) {
            fillGrant(keys[i], fills[i].giveUnits, fills[i].takeUnits);
            alone[i] = factsOf(keys[i]);
        }
        (uint256 money, uint256 held) = (usdc.balanceOf(filler), tokens.balanceOf(filler, yesId));
        vm.revertToState(start);
        assertEq(fillManyAs(filler, fills), 3, "all of them");
        for (uint256 i = 0; i < 3; ++i) assertEq(factsOf(keys[i]), alone[i], "as alone");
        assertEq(usdc.balanceOf(filler), money, "for the same money");
        assertEq(tokens.balanceOf(filler, yesId), held, "and the same tokens");
        assertState(keys[0], IVault.PositionState.Liquidated);
        assertState(keys[1], IVault.PositionState.Open);
        assertState(keys[2], IVault.PositionState.Liquidated);
        assertEq(vault.grantOf(keys[1]).filledUnits, 200e6, "a part");
        assertSolvent();
    }

    function test_fills_openings_and_sales_together() public {
        bytes32 key = create(seeded(30), alice);
        grantOpen(key, 5_000, 5_000);
        keys.push(key);
        assertEq(fillManyAs(filler, fillsOf(keys)), 4, "all of them");
        assertState(key, IVault.PositionState.Open);
        assertSolvent();
    }

    function test_parts_of_one_grant_are_filled_one_after_the_other() public {
        IVault.GrantFill[] memory fills = new IVault.GrantFill[](4);
        for (uint256 i = 0; i < 4; ++i) fills[i] = IVault.GrantFill(keys[0], 80e6, 200e6);
        assertEq(fillManyAs(filler, fills), 3, "the fourth finds nothing");
        assertState(keys[0], IVault.PositionState.Liquidated);
    }

    // ------------------------------------------------------------ what is refused

    /// @dev The first and the last are filled, whatever stands between them.
    function skipsBetween(IVault.GrantFill memory refused) private {
        uint256 id = vm.snapshotState();
        IVault.GrantFill[] memory all = fillsOf(keys);
        IVault.GrantFill[] memory fills = new IVault.GrantFill[](3);
        (fills[0], fills[1], fills[2]) = (all[0], refused, all[2]);
        bytes32 facts = factsOf(keys[1]);
        (uint256 money, uint256 held) = (usdc.balanceOf(filler), tokens.balanceOf(filler, yesId));
        assertEq(fillManyAs(filler, fills), 2, "the others are filled");
        assertEq(factsOf(keys[1]), facts, "nothing of it changed");
        assertEq(usdc.balanceOf(filler), money - all[0].giveUnits - all[2].giveUnits, "for the others alone");
        assertEq(tokens.balanceOf(filler, yesId), held + 1_200e6, "their tokens");
        fills = new IVault.GrantFill[](1);
        fills[0] = refused;
        vm.prank(filler, filler);
        vm.expectRevert(IVault.NothingDone.selector);
        vault.fillMany(fills);
        vm.revertToState(id);
    }

    function test_skips_what_fill_refuses() public {
        IVault.GrantFill memory f = fillsOf(keys)[1];
        skipsBetween(IVault.GrantFill(keys[1], f.giveUnits - 1, f.takeUnits));
        skipsBetween(IVault.GrantFill(keys[1], 5e6, 5e6));
        skipsBetween(IVault.GrantFill(keys[1], uint256(1) << 48, 600e6));
        skipsBetween(IVault.GrantFill(keys[1], f.giveUnits, uint256(1) << 48));
        skipsBetween(IVault.GrantFill(keys[1], 0, 0));
        skipsBetween(IVault.GrantFill(bytes32("unknown"), f.giveUnits, f.takeUnits));
        bytes32 pending = create(seeded(30), alice);
        skipsBetween(IVault.GrantFill(pending, 600e6, 300e6));
        vm.prank(alice, alice);
        vault.addMargin(keys[1], 50e6);
        skipsBetween(f);
        vm.prank(keeper, keeper);
        vault.endGrant(keys[1]);
        skipsBetween(f);
    }

    function test_skips_openings_while_paused() public {
        bytes32 pending = create(seeded(30), alice);
        grantOpen(pending, 5_000, 5_000);
        vm.prank(guardian, guardian);
        vault.pauseOpening();
        skipsBetween(IVault.GrantFill(pending, 600e6, 300e6));
        vm.prank(owner, owner);
        vault.resumeOpening();
        fillGrant(pending, 600e6, 300e6);
        assertState(pending, IVault.PositionState.Open);
    }

    function test_skips_a_position_whose_account_cannot_pay() public {
        IVault.GrantFill memory f = fillsOf(keys)[1];
        usdc.setBlacklisted(vault.accountOf(keys[1]), true);
        skipsBetween(f);
    }

    function test_fills_as_far_as_the_callers_money_reaches() public {
        IVault.GrantFill[] memory fills = fillsOf(keys);
        usdc.mint(bob, 1_000e6);
        vm.prank(bob, bob);
        usdc.approve(address(vault), fills[0].giveUnits + fills[1].giveUnits + 1);
        assertEq(fillManyAs(bob, fills), 2, "two of three");
        assertState(keys[2], IVault.PositionState.Open);
        assertEq(tokens.balanceOf(bob, yesId), 1_200e6, "two are paid for");
    }

    function test_does_nothing_of_nothing() public {
        vm.expectRevert(IVault.NothingDone.selector);
        vault.fillMany(new IVault.GrantFill[](0));
        IVault.GrantFill[] memory fills = fillsOf(keys);
        skip(9);
        vm.prank(filler, filler);
        vm.expectRevert(IVault.NothingDone.selector);
        vault.fillMany(fills);
        resolve(1, 0);
        vm.prank(filler, filler);
        vm.expectRevert(IVault.NothingDone.selector);
        vault.fillMany(fills);
    }

    function test_user_who_cannot_be_paid_holds_up_nothing() public {
        skip(10);
        for (uint256 i = 0; i < 3; ++i) requestClose(keys[i], 600e6, 0);
        assertEq(authorizeMany(batchOf(IVault.Purpose.Close, 5_000, 5_000, keys)), 3, "granted");
        usdc.setBlacklisted(alice, true);
        assertEq(fillManyAs(filler, fillsOf(keys)), 3, "all of them");
        for (uint256 i = 0; i < 3; ++i) {
            assertState(keys[i], IVault.PositionState.Closed);
            assertGe(cashOf(keys[i]), 100e6 - 10, "what is the user's waits in the account, less some seconds of fees");
        }
    }

    function test_calls_no_filler_back() public {
        CallbackFiller caller = new CallbackFiller(vault);
        fundFiller(address(caller));
        caller.call(address(vault), abi.encodeCall(IVault.fillMany, (fillsOf(keys))));
        assertEq(caller.lastKey(), bytes32(0), "only by the tokens it receives");
        assertState(keys[2], IVault.PositionState.Liquidated);
    }
}
