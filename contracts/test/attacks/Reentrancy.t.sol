// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {ReenteringUser} from "../fixtures/HostileUsers.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice A receiver of outcome tokens that calls back: every verb of a user and guardian is refused by the lock.
contract ReentrancyTest is VaultFixture {
    /// @dev Positions of a hostile receiver, each waiting for one call.
    struct Waiting {
        bytes32 open;
        bytes32 exiting;
        bytes32 pending;
        bytes32 overdue;
        bytes32 overdueToo;
        bytes32 resolved;
        bytes32 claimable;
    }

    /// @dev Calls of a hostile receiver that meet the vault's lock; those after them go to the pool.
    uint256 private constant LOCKED_CALLS = 13;

    function test_F9_callbacks_of_an_exit_cannot_re_enter() public {
        ReenteringUser user = hostile();
        Waiting memory w = waitingFor(user);
        bytes32 key = this.openNow(8, address(user), 5_000);
        arm(user, w);
        user.call(address(vault), abi.encodeCall(IVault.exitByRepaying, (key, address(user))));
        assertState(key, IVault.PositionState.Closed);
        assertEq(tokens.balanceOf(address(user), yesId), 600e6, "the tokens arrived");
        assertLockedThenFree(user, w);
    }

    function test_F9_callbacks_of_a_claim_cannot_re_enter() public {
        ReenteringUser user = hostile();
        Waiting memory w = waitingFor(user);
        bytes32 key = this.createNow(8, address(user));
        address account = vault.accountOf(key);
        vm.prank(maker, maker);
        tokens.safeTransferFrom(maker, account, yesId, 20_000, "");
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        arm(user, w);
        user.call(address(vault), abi.encodeCall(IVault.claim, (key)));
        assertEq(tokens.balanceOf(address(user), yesId), 20_000, "the tokens arrived");
        assertLockedThenFree(user, w);
    }

    /// @dev Called as from outside: in one call the compiler may read the time once, before and after a skip.
    function createNow(uint128 number, address account) external returns (bytes32 key) {
        return create(seeded(number), account);
    }

    function openNow(uint128 number, address account, uint32 pricePips) external returns (bytes32 key) {
        return open(seeded(number), account, pricePips);
    }

    /// @dev A guardian and user with money, shares of the pool and a redeem request that is usable now.
    function hostile() private returns (ReenteringUser user) {
        user = new ReenteringUser();
        fundUser(address(user), 100_000e6);
        vm.prank(owner, owner);
        vault.setGuardian(address(user));
        vm.startPrank(address(user), address(user));
        usdc.approve(address(pool), type(uint256).max);
        pool.requestRedeem(pool.deposit(10_000e6, address(user)), 0);
        vm.stopPrank();
        skip(24 hours);
    }

    /// @dev One position for each call that a callback will try; two of them are overdue, one is of a resolved market.
    function waitingFor(ReenteringUser user) private returns (Waiting memory w) {
        address account = address(user);
        w.overdue = this.createNow(1, account);
        w.overdueToo = this.createNow(2, account);
        skip(301);
        w.pending = this.createNow(3, account);
        w.open = this.openNow(4, account, 5_000);
        w.exiting = this.openNow(5, account, 5_000);
        w.claimable = this.createNow(6, account);
        finalize(w.claimable);
        usdc.mint(vault.accountOf(w.claimable), 5e6);
        w.resolved = openInResolvedMarket(account);
    }

    function openInResolvedMarket(address user) private returns (bytes32 key) {
        (bytes32 condition, uint256 yes, uint256 no) = (conditionId, yesId, noId);
        bytes32 question = keccak256("resolved");
        (conditionId, yesId, noId) = prepareMarket(question);
        vault.registerOutcome(oracle, question, 1);
        fundMaker();
        key = this.openNow(7, user, 5_000);
        uint256[] memory payouts = new uint256[](2);
        payouts[0] = 1;
        vm.prank(oracle, oracle);
        tokens.reportPayouts(question, payouts);
        (conditionId, yesId, noId) = (condition, yes, no);
    }

    function arm(ReenteringUser user, Waiting memory w) private {
        (address[] memory targets, bytes[] memory calls) = this.callsBack(address(user), w);
        user.arm(targets, calls);
    }

    /// @dev First what the vault's lock must refuse, each of which would succeed otherwise; then two calls to the pool.
    function callsBack(
        address user,
        Waiting memory w
    ) external view returns (address[] memory targets, bytes[] memory calls) {
        calls = new bytes[](LOCKED_CALLS + 2);
        targets = new address[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) targets[i] = i < LOCKED_CALLS ? address(vault) : address(pool);
        IVault.Permit memory none;
        bytes32[] memory keys = new bytes32[](1);
        keys[0] = w.overdueToo;
        calls[0] = abi.encodeCall(IVault.addMargin, (w.open, 1e6));
        calls[1] = abi.encodeCall(IVault.requestClose, (w.open, 600e6, 0));
        calls[2] = abi.encodeCall(IVault.createPosition, (seeded(20), signQuote(seeded(20), user)));
        calls[3] = abi.encodeCall(IVault.createPositionWithPermit, (seeded(21), signQuote(seeded(21), user), none));
        calls[4] = abi.encodeCall(IVault.cancelPosition, (w.pending));
        calls[5] = abi.encodeCall(IVault.finalize, (w.overdue));
        calls[6] = abi.encodeCall(IVault.finalizeMany, (keys));
        calls[7] = abi.encodeCall(IVault.settle, (w.resolved));
        calls[8] = abi.encodeCall(IVault.exitByRepaying, (w.exiting, user));
        calls[9] = abi.encodeCall(IVault.claim, (w.claimable));
        calls[10] = abi.encodeCall(IVault.registerOutcome, (oracle, QUESTION, 2));
        calls[11] = abi.encodeCall(IVault.impair, (w.open, true));
        calls[12] = abi.encodeCall(IVault.exitByRepaying, (w.open, user));
        calls[LOCKED_CALLS] = abi.encodeCall(IERC4626.deposit, (1_000e6, user));
        calls[LOCKED_CALLS + 1] = abi.encodeCall(IERC4626.redeem, (1_000e12, user, user));
    }

    /// @dev The vault refused every call of the callback by its lock; all of them succeed now. The pool is not locked:
    /// its book is complete before tokens are sent, and it served the callback at the price it serves now.
    function assertLockedThenFree(ReenteringUser user, Waiting memory w) private {
        (address[] memory targets, bytes[] memory calls) = this.callsBack(address(user), w);
        ReenteringUser.Answer[] memory answers = user.answers();
        assertEq(user.receipts(), 1, "called back once");
        assertEq(answers.length, calls.length, "every call was tried");
        bytes memory locked = abi.encodePacked(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        for (uint256 i = 0; i < LOCKED_CALLS; ++i) {
            string memory which = vm.toString(i);
            assertTrue(!answers[i].done, string.concat("refused inside: ", which));
            assertEq(keccak256(answers[i].data), keccak256(locked), string.concat("by the lock: ", which));
        }
        for (uint256 i = 0; i < calls.length; ++i) {
            bytes memory afterwards = user.call(targets[i], calls[i]);
            if (i < LOCKED_CALLS) continue;
            assertTrue(answers[i].done, "the pool serves");
            assertEq(keccak256(answers[i].data), keccak256(afterwards), "at the same price");
        }
        assertServed(w);
    }

    /// @dev The calls did after the callback what they could not do inside it.
    function assertServed(Waiting memory w) private view {
        assertState(w.pending, IVault.PositionState.Cancelled);
        assertState(w.overdue, IVault.PositionState.Reverted);
        assertState(w.overdueToo, IVault.PositionState.Reverted);
        assertState(w.resolved, IVault.PositionState.Settled);
        assertState(w.exiting, IVault.PositionState.Closed);
        assertState(w.open, IVault.PositionState.Closed);
        assertEq(cashOf(w.claimable), 0, "claimed");
        assertEq(vault.outcomeIdOf(conditionId, noId), 3, "registered");
        assertSolvent();
    }
}
