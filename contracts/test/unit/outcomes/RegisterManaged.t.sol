// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOracleAggregator} from "../../../src/interfaces/IOracleAggregator.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {ManagedFixture} from "../../fixtures/ManagedFixture.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Registration of outcomes of the PositionManager.
contract RegisterManagedTest is ManagedFixture {
    function refuse(bytes31 condition, uint256 outcomeIndex, bytes memory reason) private {
        vm.expectRevert(reason);
        vault.registerManagedOutcome(condition, outcomeIndex);
    }

    function refuse(bytes31 condition, uint256 outcomeIndex, bytes4 reason) private {
        refuse(condition, outcomeIndex, abi.encodePacked(reason));
    }

    function test_registers_both_outcomes_of_a_condition() public {
        vm.expectEmit();
        emit IVault.ManagedOutcomeRegistered(2, bytes32(nativeId), noId, address(module), 2);
        vm.prank(stranger, stranger);
        uint32 id = vault.registerManagedOutcome(nativeId, 1);
        assertEq(id, 2, "numbered after the first");
        IVault.Outcome memory o = vault.outcomeOf(id);
        assertEq(o.conditionId, bytes32(nativeId), "condition");
        assertEq(o.tokenId, noId, "token");
        assertEq(o.indexSet, 2, "index set");
        assertTrue(o.ledger == IVault.Ledger.PositionManager, "ledger");
        assertEq(vault.outcomeIdOf(bytes32(nativeId), noId), id, "by name");
        assertEq(vault.outcomeOf(1).tokenId, uint256(bytes32(nativeId)), "the first ends with a zero");
        assertEq(vault.outcomeOf(1).indexSet, 1, "first index set");
        refuse(nativeId, 1, abi.encodeWithSelector(IVault.OutcomeExists.selector, id));
    }

    function test_shares_the_numbers_with_the_other_ledger() public {
        conditional.prepareCondition(oracle, QUESTION, 2);
        uint32 id = vault.registerOutcome(oracle, QUESTION, 1);
        assertEq(id, 2, "after the managed one");
        assertTrue(vault.outcomeOf(id).ledger == IVault.Ledger.ConditionalTokens, "ledger");
        assertEq(vault.registerManagedOutcome(nativeId, 1), 3, "and the next");
    }

    function test_refuses_negative_risk_and_combinations_by_their_module() public {
        for (uint256 moduleId = 0; moduleId < 5; ++moduleId) {
            if (moduleId == 1) continue;
            uint256 condition = (uint256(bytes32(nativeId)) & (type(uint256).max >> 8)) | (moduleId << 248);
            refuse(bytes31(bytes32(condition)), 0, abi.encodeWithSelector(IVault.ModuleNotBinary.selector, moduleId));
        }
    }

    /// @dev Arity, reserved bits, resolution chain and condition index are bits 8 to 119.
    function test_refuses_each_bit_that_a_native_id_leaves_empty() public {
        for (uint256 bit = 8; bit < 120; ++bit) {
            bytes31 condition = bytes31(bytes32(uint256(bytes32(nativeId)) | (uint256(1) << bit)));
            refuse(condition, 0, IVault.ConditionNotNative.selector);
        }
    }

    function test_refuses_an_empty_hash_and_other_outcomes() public {
        refuse(bytes31(bytes32(uint256(1) << 248)), 0, IVault.ConditionNotNative.selector);
        refuse(nativeId, 2, IVault.ConditionNotNative.selector);
        refuse(nativeId, 256, IVault.ConditionNotNative.selector);
        refuse(nativeId, type(uint256).max, IVault.ConditionNotNative.selector);
    }

    function test_one_bit_of_a_hash_is_enough() public {
        for (uint256 bit = 120; bit < 248; bit += 127) {
            bytes31 condition = bytes31(bytes32((uint256(1) << 248) | (uint256(1) << bit)));
            aggregator.initializeRequest(bytes29(condition), address(module));
            assertTrue(vault.registerManagedOutcome(condition, 0) != 0, "registered");
        }
    }

    function test_refuses_a_condition_without_a_request() public {
        bytes31 unasked = nativeOf(keccak256("unasked"));
        // It is split all the same.
        vm.prank(maker, maker);
        router.split(unasked, 1e6);
        refuse(unasked, 0, abi.encodeWithSelector(IVault.ConditionNotRequested.selector, address(0)));
        aggregator.initializeRequest(bytes29(unasked), stranger);
        refuse(unasked, 0, abi.encodeWithSelector(IVault.ConditionNotRequested.selector, stranger));
    }

    function test_refuses_a_module_without_code() public {
        manager.addModule(1, address(0));
        refuse(nativeId, 1, abi.encodeWithSelector(IVault.ModuleWithoutCode.selector, address(0)));
        manager.addModule(1, stranger);
        refuse(nativeId, 1, abi.encodeWithSelector(IVault.ModuleWithoutCode.selector, stranger));
    }

    function test_refuses_a_condition_whose_result_another_ledger_knows_first() public {
        bytes32 legacy = keccak256("legacy");
        bytes31 condition = nativeOf(legacy);
        aggregator.initializeRequest(bytes29(condition), address(module));
        uint256 id = vm.snapshotState();
        module.prepareMigrationCondition(legacy);
        assertEq(module.legacyConditionId(condition), legacy, "migrated");
        refuse(condition, 0, IVault.ConditionMigrated.selector);
        vm.revertToState(id);
        assertEq(vault.registerManagedOutcome(condition, 0), 2, "native");
    }

    function test_takes_a_decided_condition_as_the_other_ledger_does() public {
        decide(1_000_000);
        uint32 id = vault.registerManagedOutcome(nativeId, 1);
        bytes32 key = create();
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Open, 5_000, 5_000, 300e6);
        refuseGrant(key, 300e6, a, IVault.OutcomeDecided.selector);
        assertEq(id, 2, "it is of no use");
    }

    function test_an_aggregator_that_does_not_answer_registers_nothing() public {
        vm.mockCallRevert(
            address(aggregator),
            abi.encodeWithSelector(IOracleAggregator.requestConfigs.selector),
            hex"beef"
        );
        refuse(nativeId, 1, bytes(hex"beef"));
    }
}

/// @notice A vault without the second ledger.
contract RegisterWithoutManagerTest is VaultFixture {
    function test_refuses_every_managed_outcome() public {
        vm.expectRevert(IVault.NoPositionManager.selector);
        vault.registerManagedOutcome(bytes31(bytes32((uint256(1) << 248) | (uint256(1) << 120))), 0);
        (address manager, address router, address aggregator) = vault.managedContracts();
        assertEq(manager, address(0), "manager");
        assertEq(router, address(0), "router");
        assertEq(aggregator, address(0), "aggregator");
        assertTrue(vault.outcomeOf(yesOutcome).ledger == IVault.Ledger.ConditionalTokens, "ledger");
    }
}
