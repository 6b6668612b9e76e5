// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";
import {Vm} from "../../fixtures/Vm.sol";

/// @notice Late money and tokens of a finished position.
contract ClaimTest is VaultFixture {
    function test_claim_pays_late_money_after_bad_debt() public {
        bytes32 key = open();
        resolve(0, 1);
        vault.settle(key);
        usdc.mint(vault.accountOf(key), 250e6);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(stranger, stranger);
        vault.claim(key);
        assertEq(usdc.balanceOf(alice) - before, 50e6, "owner after bad debt");
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "recovered");
        assertSolvent();
    }

    function test_refund_of_a_blacklisted_user_waits_for_a_claim() public {
        bytes32 key = create();
        usdc.setBlacklisted(alice, true);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        usdc.setBlacklisted(alice, false);
        uint256 before = usdc.balanceOf(alice);
        vault.claim(key);
        assertEq(usdc.balanceOf(alice) - before, 115e6, "all of it");
    }

    function test_claim_for_a_blacklisted_owner_adds_up_to_nothing() public {
        bytes32 key = open();
        usdc.setBlacklisted(alice, true);
        closeAll(key, 6_000);
        uint256 waiting = cashOf(key);
        vm.recordLogs();
        vm.startPrank(stranger, stranger);
        vault.claim(key);
        vault.claim(key);
        vm.stopPrank();
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 emitted;
        uint256 deferred;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] == IVault.PaymentDeferred.selector) deferred += abi.decode(logs[i].data, (uint256));
            if (logs[i].topics[0] != IVault.Claimed.selector) continue;
            (uint256 user, , ) = abi.decode(logs[i].data, (uint256, uint256, uint256));
            emitted += user;
        }
        assertEq(emitted, 2 * waiting, "emitted twice");
        assertEq(deferred, emitted, "and taken back as often");
        assertEq(cashOf(key), waiting, "nothing moved");
    }

    function test_a_claimed_remainder_is_emitted_and_can_be_claimed_once() public {
        bytes32 key = open();
        sell(key, IVault.Purpose.Liquidate, 600e6 - 9_999, 3_600);
        assertEq(vault.positionOf(key).tokenUnits, 9_999, "the remainder waits");
        vm.startPrank(alice, alice);
        vm.expectEmit();
        emit IVault.Claimed(key, alice, 0, 0, 9_999);
        vault.claim(key);
        assertEq(vault.positionOf(key).tokenUnits, 0, "handed out");
        assertEq(tokens.balanceOf(alice, yesId), 9_999, "to its owner");
        vm.expectRevert(IVault.NothingToClaim.selector);
        vault.claim(key);
        vm.stopPrank();
    }

    function test_a_claim_after_bad_debt_is_emitted_with_what_it_recovered() public {
        bytes32 key = open();
        sell(key, IVault.Purpose.Liquidate, 600e6 - 9_999, 3_000);
        uint256 badDebt = vault.positionOf(key).badDebtUsdcUnits;
        assertGe(badDebt, 1, "a loss");
        usdc.mint(vault.accountOf(key), badDebt);
        vm.expectEmit();
        emit IVault.Claimed(key, alice, 0, badDebt, 9_999);
        vm.prank(alice, alice);
        vault.claim(key);
    }
}
