// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IPositionManager} from "../../src/interfaces/IPositionManager.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {TwinBinaryModule} from "../../venue/TwinBinaryModule.sol";
import {ShortPositionManager, StingyRouter} from "../fixtures/HostileLedgers.sol";
import {GasBurningUser} from "../fixtures/HostileUsers.sol";
import {ManagedFixture} from "../fixtures/ManagedFixture.sol";

/// @notice The venue's contracts replaced by others: no answer is taken for "undecided" but that one, no silence for a
/// result, and a bad replacement takes what it holds and nothing else.
contract ManagedUpgradesTest is ManagedFixture {
    address private constant THIEF = address(0x7e1ef);

    // ------------------------------------------------------------ answers

    function mockPayout(bytes memory answer) private {
        vm.mockCall(address(manager), abi.encodeWithSelector(IPositionManager.getPayout.selector), answer);
    }

    function mockRefusal(bytes memory reason) private {
        vm.mockCallRevert(address(manager), abi.encodeWithSelector(IPositionManager.getPayout.selector), reason);
    }

    /// @dev Neither order nor settlement.
    function assertStopped(bytes32 pending, bytes32 key) private {
        assertNoOrder(pending, key);
        vm.expectRevert(IVault.NotResolved.selector);
        vault.settle(key);
        vm.clearMockedCalls();
    }

    function assertNoOrder(bytes32 pending, bytes32 key) private {
        refuseFill(pending, 600e6, 300e6, IVault.OutcomeDecided.selector);
        (uint256 given, uint256 taken) = vault.quoteFill(pending, 600e6);
        assertEq(given + taken, 0, "no quote");
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Close, 5_000, 5_000, 600e6);
        refuseGrant(key, 600e6, a, IVault.OutcomeDecided.selector);
    }

    function pendingAndOpen() private returns (bytes32 pending, bytes32 key) {
        key = openByFill();
        requestClose(key, 600e6, 0);
        pending = create(seeded(2), bob);
        grantOpen(pending, 5_000, 5_100);
    }

    function test_no_refusal_but_the_exact_one_means_undecided() public {
        (bytes32 pending, bytes32 key) = pendingAndOpen();
        bytes4 exact = TwinBinaryModule.ConditionNotResolved.selector;
        bytes[7] memory reasons = [
            bytes(""),
            abi.encodePacked(exact, bytes1(0)),
            abi.encodePacked(exact, bytes32(0)),
            abi.encodePacked(bytes3(exact)),
            abi.encodeWithSignature("Error(string)", "ConditionNotResolved"),
            abi.encodePacked(TwinBinaryModule.InvalidOutcomeIndex.selector),
            new bytes(100_000)
        ];
        for (uint256 i = 0; i < reasons.length; ++i) {
            mockRefusal(reasons[i]);
            assertStopped(pending, key);
        }
        mockRefusal(abi.encodePacked(exact));
        fillGrant(pending, 600e6, 300e6);
        assertState(pending, IVault.PositionState.Open);
    }

    function test_a_short_answer_is_no_result_and_no_silence() public {
        (bytes32 pending, bytes32 key) = pendingAndOpen();
        bytes[4] memory answers = [
            bytes(""),
            abi.encodePacked(TwinBinaryModule.ConditionNotResolved.selector),
            new bytes(31),
            abi.encodePacked(uint248(1_000_000))
        ];
        for (uint256 i = 0; i < answers.length; ++i) {
            mockPayout(answers[i]);
            assertStopped(pending, key);
        }
    }

    function test_a_huge_answer_is_read_by_its_first_word() public {
        (bytes32 pending, bytes32 key) = pendingAndOpen();
        mockPayout(abi.encodePacked(uint256(0), new bytes(200_000)));
        assertNoOrder(pending, key);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertSolvent();
    }

    function test_a_manager_without_code_or_that_burns_all_gas_stops_both() public {
        (bytes32 pending, bytes32 key) = pendingAndOpen();
        address honest = address(module);
        manager.addModule(1, address(0));
        assertStopped(pending, key);
        manager.addModule(1, stranger);
        assertStopped(pending, key);
        manager.addModule(1, address(new GasBurningUser()));
        assertStopped(pending, key);
        manager.addModule(1, honest);
        fillGrant(pending, 600e6, 300e6);
        assertState(pending, IVault.PositionState.Open);
    }

    // ------------------------------------------------------------ gas

    /// @dev Whatever gas a caller brings, a decided market trades no more.
    function test_starved_calls_never_fill_what_is_decided() public {
        (bytes32 pending, ) = pendingAndOpen();
        decide(0);
        bytes memory call = abi.encodeCall(IVault.fill, (pending, 600e6, 300e6, ""));
        for (uint256 gasLimit = 20_000; gasLimit < 200_000; gasLimit += 1_500) {
            vm.prank(filler, filler);
            (bool done, ) = address(vault).call{gas: gasLimit}(call);
            assertTrue(!done, "refused");
        }
    }

    /// @dev The first settlement that succeeds is one that read the result and redeemed.
    function test_starved_calls_settle_no_winner_as_lost() public {
        bytes32 key = openByFill();
        decide(1_000_000);
        (uint256 owed, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(address(pool));
        bytes memory call = abi.encodeCall(IVault.settle, (key));
        bool done;
        for (uint256 gasLimit = 30_000; !done; gasLimit += 1_500) {
            vm.prank(stranger, stranger);
            (done, ) = address(vault).call{gas: gasLimit}(call);
        }
        assertState(key, IVault.PositionState.Settled);
        assertEq(usdc.balanceOf(address(pool)) - before, owed + fees, "all of the debt");
        assertEq(tokensOf(key), 0, "redeemed");
    }

    function test_starved_calls_settle_nothing_undecided() public {
        bytes32 key = openByFill();
        bytes memory call = abi.encodeCall(IVault.settle, (key));
        for (uint256 gasLimit = 20_000; gasLimit < 400_000; gasLimit += 3_000) {
            (bool done, ) = address(vault).call{gas: gasLimit}(call);
            assertTrue(!done, "refused");
        }
        assertState(key, IVault.PositionState.Open);
    }

    // ------------------------------------------------------------ tokens

    function test_a_transfer_that_brings_less_than_it_says_opens_nothing() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        uint256 before = usdc.balanceOf(filler);
        uint256[3] memory missing = [uint256(1), 300e6, type(uint256).max];
        for (uint256 i = 0; i < missing.length; ++i) {
            upgrade(address(manager), address(new ShortPositionManager(address(usdc), missing[i])));
            refuseFill(key, 600e6, 300e6, IVault.TokensNotDelivered.selector);
        }
        assertEq(usdc.balanceOf(filler), before, "nothing was paid");
        upgrade(address(manager), address(new ShortPositionManager(address(usdc), 0)));
        fillGrant(key, 600e6, 300e6);
        assertState(key, IVault.PositionState.Open);
    }

    /// @dev Money that bought nothing waits for no ledger.
    function test_a_silent_ledger_keeps_no_money_of_an_unfilled_opening() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_100);
        bytes32 unfunded = create(seeded(2), bob);
        upgrade(address(manager), address(new GasBurningUser()));
        skip(11);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(pool.bookOf().lentUsdcUnits, 0, "the loan came back");
        vm.prank(bob, bob);
        vault.cancelPosition(unfunded);
        assertState(unfunded, IVault.PositionState.Cancelled);
        assertSolvent();
    }

    function test_a_silent_ledger_keeps_no_usdc_of_an_ended_position() public {
        bytes32 key = openByFill();
        decide(1_000_000);
        usdc.setBlacklisted(alice, true);
        vault.settle(key);
        usdc.setBlacklisted(alice, false);
        uint256 waiting = cashOf(key);
        assertTrue(waiting != 0, "a deferred payment");
        upgrade(address(manager), address(new GasBurningUser()));
        uint256 before = usdc.balanceOf(alice);
        vm.prank(stranger, stranger);
        vault.claim(key);
        assertEq(usdc.balanceOf(alice) - before, waiting, "paid");
    }

    /// @dev A balance that cannot be read is not booked: the position waits.
    function test_a_silent_ledger_books_nothing_by_a_guess() public {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        grant(key, IVault.Purpose.Close, 600e6, 6_000, 6_000);
        fillGrant(key, 120e6, 200e6);
        skip(11);
        vm.mockCallRevert(address(manager), abi.encodeWithSelector(IPositionManager.balanceOf.selector), "");
        vm.prank(keeper, keeper);
        vm.expectRevert();
        vault.finalize(key);
        vm.clearMockedCalls();
        finalize(key);
        assertEq(vault.positionOf(key).tokenUnits, 400e6, "booked when it answered");
        assertSolvent();
    }

    // ------------------------------------------------------------ redemption

    function stingy(uint256 paidBps) private returns (StingyRouter hostile) {
        hostile = new StingyRouter(address(manager), address(usdc), paidBps, THIEF);
        upgrade(address(router), address(hostile));
        usdc.mint(address(router), 1_000_000e6);
        return StingyRouter(address(router));
    }

    /// @dev The loss is the position's and its own loan's.
    function test_a_router_that_pays_less_costs_its_own_positions_alone() public {
        bytes32 other = openByFill(seeded(2), bob, 5_000);
        bytes32 key = openByFill();
        decide(1_000_000);
        uint256 snapshot = vm.snapshotState();
        uint256[3] memory paid = [uint256(0), 1_000, 5_000];
        for (uint256 i = 0; i < paid.length; ++i) {
            stingy(paid[i]);
            (uint256 owed, uint256 fees) = vault.debtOf(key);
            uint256 lent = pool.bookOf().lentUsdcUnits;
            uint256 before = usdc.balanceOf(address(pool));
            vault.settle(key);
            uint256 proceeds = (600e6 * paid[i]) / 10_000;
            uint256 repaid = proceeds < owed + fees ? proceeds : owed + fees;
            assertEq(usdc.balanceOf(address(pool)) - before, repaid, "what came");
            uint256 lost = proceeds < owed ? owed - proceeds : 0;
            assertEq(vault.positionOf(key).badDebtUsdcUnits, lost, "at most the loan");
            assertEq(lent - pool.bookOf().lentUsdcUnits, owed, "and it is off the book");
            assertEq(manager.balanceOf(THIEF, yesId), 600e6, "tokens of this position alone");
            assertEq(tokensOf(other), 600e6, "not of another");
            assertNoApproval(key);
            assertSolvent();
            vm.revertToState(snapshot);
        }
    }

    function test_a_router_that_refuses_leaves_the_position_open() public {
        bytes32 key = openByFill();
        decide(1_000_000);
        upgrade(address(router), address(new GasBurningUser()));
        vm.expectRevert();
        vault.settle(key);
        assertState(key, IVault.PositionState.Open);
        upgrade(address(router), deploy("TwinPositionRouter.sol:TwinPositionRouter", abi.encode(manager)));
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertSolvent();
    }

    function test_a_loser_needs_no_router() public {
        bytes32 key = openByFill();
        decide(0);
        upgrade(address(router), address(new GasBurningUser()));
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
    }

    /// @dev A module that calls a winner a loser keeps its tokens here: the loan is lost, until the owner pays it.
    function test_a_lie_about_the_result_moves_no_token() public {
        bytes32 key = openByFill();
        bytes32 other = openByFill(seeded(2), bob, 5_000);
        uint256 owed = principalOf(key);
        uint256 lent = pool.bookOf().lentUsdcUnits;
        mockPayout(abi.encode(0));
        vault.settle(key);
        vm.clearMockedCalls();
        assertEq(vault.positionOf(key).badDebtUsdcUnits, owed, "the loan");
        assertEq(lent - pool.bookOf().lentUsdcUnits, owed, "and no other");
        assertEq(tokensOf(key), 600e6, "the tokens stay");
        usdc.mint(vault.accountOf(key), owed);
        vm.prank(alice, alice);
        vault.claim(key);
        assertEq(manager.balanceOf(alice, yesId), 600e6, "for what was owed");
        decide(1_000_000);
        vault.settle(other);
        assertState(other, IVault.PositionState.Settled);
        assertSolvent();
    }

    function test_a_router_that_calls_back_meets_the_lock() public {
        bytes32 key = openByFill();
        bytes32 other = openByFill(seeded(2), bob, 5_000);
        bytes32 pending = create(seeded(3), bob);
        decide(1_000_000);
        StingyRouter hostile = stingy(10_000);
        bytes32[] memory keys = new bytes32[](1);
        keys[0] = pending;
        hostile.arm(address(vault), abi.encodeCall(IVault.settle, (other)));
        hostile.arm(address(vault), abi.encodeCall(IVault.settle, (key)));
        hostile.arm(address(vault), abi.encodeCall(IVault.claim, (key)));
        hostile.arm(address(vault), abi.encodeCall(IVault.finalizeMany, (keys)));
        hostile.arm(address(vault), abi.encodeCall(IVault.fill, (pending, 600e6, 300e6, "")));
        hostile.arm(address(vault), abi.encodeCall(IVault.registerManagedOutcome, (nativeId, 1)));
        uint256 locked = 6;
        hostile.arm(address(pool), abi.encodeCall(IERC4626.totalAssets, ()));
        uint256 assets = pool.totalAssets();
        vault.settle(key);
        bytes memory reason = abi.encodePacked(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        for (uint256 i = 0; i < locked; ++i) {
            assertTrue(!hostile.outcomes(i), "refused inside");
            assertEq(keccak256(hostile.answers(i)), keccak256(reason), "by the lock");
        }
        assertTrue(hostile.outcomes(locked), "the pool answers");
        assertEq(abi.decode(hostile.answers(locked), (uint256)), assets, "at the price of before");
        assertState(other, IVault.PositionState.Open);
        vault.settle(other);
        assertState(other, IVault.PositionState.Settled);
    }

    // ------------------------------------------------------------ the other ledger

    /// @dev All three contracts gone bad at once.
    function test_positions_of_the_other_ledger_notice_nothing() public {
        bytes32 lost = openByFill();
        (conditionId, yesId) = toConditional();
        bytes32 key = openByFill(seeded(2), bob, 5_000);
        address burning = address(new GasBurningUser());
        upgrade(address(manager), burning);
        upgrade(address(router), burning);
        upgrade(address(module), burning);
        requestClose(key, 300e6, 0);
        grant(key, IVault.Purpose.Close, 300e6, 5_500, 5_500);
        fillAll(key);
        uint256[] memory payouts = new uint256[](2);
        payouts[0] = 1;
        vm.prank(oracle, oracle);
        conditional.reportPayouts(QUESTION, payouts);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(pool.bookOf().lentUsdcUnits, principalOf(lost), "the loan of the bad ledger alone is open");
        vm.prank(guardian, guardian);
        vault.impair(lost, true);
        assertEq(pool.bookOf().impairedUsdcUnits, principalOf(lost), "and can be marked");
        assertSolvent();
    }

    /// @dev The other ledger's market of the same question, and a filler's tokens of it.
    function toConditional() private returns (bytes32 condition, uint256 yes) {
        conditional.prepareCondition(oracle, QUESTION, 2);
        condition = conditional.getConditionId(oracle, QUESTION, 2);
        tokens = conditional;
        (yes, ) = pairOf(condition);
        vault.registerOutcome(oracle, QUESTION, 1);
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        vm.startPrank(filler, filler);
        usdc.approve(address(conditional), type(uint256).max);
        conditional.splitPosition(address(usdc), bytes32(0), condition, partition, 600e6);
        conditional.setApprovalForAll(address(vault), true);
        vm.stopPrank();
    }
}
