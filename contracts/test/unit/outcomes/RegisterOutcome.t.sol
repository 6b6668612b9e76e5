// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Registration of outcomes.
contract RegisterOutcomeTest is VaultFixture {
    function test_register_outcome() public {
        uint32 id = vault.registerOutcome(oracle, QUESTION, 2);
        assertEq(id, 2, "second id");
        IVault.Outcome memory o = vault.outcomeOf(id);
        assertEq(o.conditionId, conditionId, "condition");
        assertEq(o.tokenId, noId, "token");
        assertEq(o.indexSet, 2, "index set");
        assertEq(vault.outcomeIdOf(conditionId, noId), id, "by name");
        vm.expectRevert(abi.encodeWithSelector(IVault.OutcomeExists.selector, id));
        vault.registerOutcome(oracle, QUESTION, 2);
        vm.expectRevert(IVault.ConditionNotBinary.selector);
        vault.registerOutcome(oracle, QUESTION, 3);
        vm.expectRevert(IVault.ConditionNotBinary.selector);
        vault.registerOutcome(oracle, QUESTION, 0);
        vm.expectRevert(IVault.ConditionNotBinary.selector);
        vault.registerOutcome(oracle, keccak256("unprepared"), 1);
        vm.expectRevert(abi.encodeWithSelector(IVault.OracleNotAllowed.selector, bob));
        vault.registerOutcome(bob, QUESTION, 1);
    }

    function test_three_outcomes_are_refused() public {
        tokens.prepareCondition(oracle, keccak256("three"), 3);
        vm.expectRevert(IVault.ConditionNotBinary.selector);
        vault.registerOutcome(oracle, keccak256("three"), 1);
    }
}
