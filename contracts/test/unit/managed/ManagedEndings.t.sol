// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {RefusingUser} from "../../fixtures/HostileUsers.sol";
import {ManagedFixture} from "../../fixtures/ManagedFixture.sol";

/// @notice Every end of a life on the second ledger, to the unit.
contract ManagedEndingsTest is ManagedFixture {
    /// @dev 100 USD at 3x without fees of time. 200 of 600 tokens are closed at 55 cents, 100 unwound at 50: 300 are
    /// left, with a loan of 83.333333.
    function reduced() private returns (bytes32 key) {
        IVault.CreateRequest memory r = request();
        r.lifetimeFeeAprBps = 0;
        key = openByFill(r, alice, 5_000);
        requestClose(key, 200e6, 0);
        grant(key, IVault.Purpose.Close, 200e6, 5_500, 5_500);
        fillAll(key);
        grant(key, IVault.Purpose.Unwind, 100e6, 5_000, 5_000);
        fillAll(key);
        assertEq(principalOf(key), 83_333_333, "loan");
        assertEq(tokensOf(key), 300e6, "tokens");
    }

    function settles(uint256 yesShare) private {
        bytes32 key = reduced();
        decide(yesShare);
        (uint256 user, uint256 lent) = (usdc.balanceOf(alice), usdc.balanceOf(address(pool)));
        uint256 payout = (300e6 * yesShare) / 1_000_000;
        uint256 repaid = payout < 83_333_333 ? payout : 83_333_333;
        vm.prank(stranger, stranger);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(usdc.balanceOf(address(pool)) - lent, repaid, "the pool first");
        assertEq(usdc.balanceOf(alice) - user, payout - repaid, "the rest to the user");
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 83_333_333 - repaid, "what is missing");
        assertEq(cashOf(key), 0, "nothing stays");
        assertEq(tokensOf(key), yesShare == 0 ? 300e6 : 0, "a loser redeems nothing");
        assertNoApproval(key);
        assertSolvent();
    }

    function test_won() public {
        settles(1_000_000);
    }

    function test_lost() public {
        settles(0);
    }

    function test_void() public {
        settles(500_000);
    }

    function test_37_to_63() public {
        settles(370_000);
    }

    function test_split_that_does_not_cover_the_loan() public {
        settles(270_000);
    }

    function test_split_without_a_round_share() public {
        settles(142_857);
    }

    function test_the_smallest_share_is_redeemed() public {
        settles(1);
    }

    function test_any_share(uint256 share) public {
        settles(bound(share, 0, 1_000_000));
    }

    function test_second_outcome_is_paid_the_rest() public {
        vault.registerManagedOutcome(nativeId, 1);
        yesId = noId;
        bytes32 key = openByFill();
        decide(370_000);
        uint256 before = usdc.balanceOf(address(pool)) + usdc.balanceOf(alice);
        vault.settle(key);
        assertEq(usdc.balanceOf(address(pool)) + usdc.balanceOf(alice) - before, 378e6, "63 cents of 600");
        assertSolvent();
    }

    function test_undecided_condition_does_not_settle() public {
        bytes32 key = openByFill();
        vm.expectRevert(IVault.NotResolved.selector);
        vault.settle(key);
        bytes32 pending = create(seeded(2), bob);
        vm.expectRevert(IVault.NotResolved.selector);
        vault.settle(pending);
    }

    function test_settle_ends_a_pending_position_and_a_live_grant() public {
        bytes32 unfunded = create(seeded(2), bob);
        bytes32 unfilled = create(seeded(3), bob);
        grantOpen(unfilled, 5_000, 5_100);
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        grant(key, IVault.Purpose.Close, 600e6, 6_000, 6_000);
        fillGrant(key, 120e6, 200e6);
        decide(1_000_000);
        refuseFill(key, 240e6, 400e6, IVault.OutcomeDecided.selector);
        (uint256 given, ) = vault.quoteFill(key, type(uint256).max);
        assertEq(given, 0, "no quote");
        vault.settle(key);
        vault.settle(unfunded);
        vault.settle(unfilled);
        assertState(key, IVault.PositionState.Settled);
        assertState(unfunded, IVault.PositionState.Reverted);
        assertState(unfilled, IVault.PositionState.Reverted);
        assertEq(tokensOf(key), 0, "redeemed");
        assertSolvent();
    }

    function test_a_decided_condition_takes_no_grant() public {
        bytes32 pending = create(seeded(2), bob);
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        grantOpen(pending, 5_000, 5_100);
        decide(0);
        refuseFill(pending, 600e6, 300e6, IVault.OutcomeDecided.selector);
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Close, 5_000, 5_000, 600e6);
        refuseGrant(key, 600e6, a, IVault.OutcomeDecided.selector);
    }

    function test_exit_by_repaying_sends_the_tokens_anywhere() public {
        bytes32 key = openByFill();
        (uint256 owed, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, bob);
        assertState(key, IVault.PositionState.Closed);
        assertEq(manager.balanceOf(bob, yesId), 600e6, "tokens");
        assertEq(before - usdc.balanceOf(alice), owed + fees, "the debt");
        assertSolvent();
    }

    function test_exit_to_a_receiver_that_refuses_reverts() public {
        bytes32 key = openByFill();
        address refusing = address(new RefusingUser());
        vm.prank(alice, alice);
        vm.expectRevert();
        vault.exitByRepaying(key, refusing);
        assertState(key, IVault.PositionState.Open);
    }

    function test_claim_sends_the_tokens_of_a_loser() public {
        IVault.CreateRequest memory r = request();
        bytes32 key = openByFill(r, alice, 5_000);
        (uint256 owed, uint256 fees) = vault.debtOf(key);
        vm.prank(alice, alice);
        vault.addMargin(key, owed + fees);
        decide(0);
        vault.settle(key);
        assertEq(tokensOf(key), 600e6, "they stay");
        vm.prank(stranger, stranger);
        vm.expectRevert(IVault.NothingToClaim.selector);
        vault.claim(key);
        vm.expectEmit();
        emit IVault.Claimed(key, alice, 0, 0, 600e6);
        vm.prank(alice, alice);
        vault.claim(key);
        assertEq(manager.balanceOf(alice, yesId), 600e6, "the owner's");
    }

    function test_orders_of_the_exchange_are_refused() public {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 300e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 5_000, 5_000);
        bytes memory signatures = signAttestation(a);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.GrantRequired.selector);
        vault.authorizeOrder(key, IVault.Purpose.Close, o, uint64(block.timestamp + 60), a, signatures);
    }

    function test_both_ledgers_live_side_by_side() public {
        bytes32 key = openByFill();
        (bytes32 condition, uint256 yes, uint256 no) = (conditionId, yesId, noId);
        conditional.prepareCondition(oracle, QUESTION, 2);
        conditionId = conditional.getConditionId(oracle, QUESTION, 2);
        tokens = conditional;
        (yesId, noId) = pairOf(conditionId);
        vault.registerOutcome(oracle, QUESTION, 1);
        fundConditional();
        bytes32 other = openByFill(seeded(2), bob, 5_000);
        assertEq(conditional.balanceOf(vault.accountOf(other), yesId), 600e6, "of ConditionalTokens");
        assertEq(manager.balanceOf(vault.accountOf(key), yes), 600e6, "of the PositionManager");
        uint256[] memory payouts = new uint256[](2);
        payouts[0] = 1;
        vm.prank(oracle, oracle);
        conditional.reportPayouts(QUESTION, payouts);
        vault.settle(other);
        assertState(other, IVault.PositionState.Settled);
        vm.expectRevert(IVault.NotResolved.selector);
        vault.settle(key);
        (conditionId, yesId, noId) = (condition, yes, no);
        decide(1_000_000);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertSolvent();
    }

    function fundConditional() private {
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        vm.startPrank(filler, filler);
        usdc.approve(address(conditional), type(uint256).max);
        conditional.splitPosition(address(usdc), bytes32(0), conditionId, partition, 600e6);
        conditional.setApprovalForAll(address(vault), true);
        vm.stopPrank();
    }
}
