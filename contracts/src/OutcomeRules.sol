// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBinaryModule} from "./interfaces/IBinaryModule.sol";
import {IConditionalTokens} from "./interfaces/IConditionalTokens.sol";
import {IOracleAggregator} from "./interfaces/IOracleAggregator.sol";
import {IPositionManager} from "./interfaces/IPositionManager.sol";
import {IVault} from "./interfaces/IVault.sol";
import {OutcomeLedger} from "./libraries/OutcomeLedger.sol";
import {OutcomeBook, OutcomeEntry, StoredOutcome} from "./StoredOutcome.sol";

/// @title OutcomeRules
/// @notice Every check of an outcome before it is registered, and its registration. A linked library of the vault: it
/// runs in the vault's storage and under the vault's lock.
library OutcomeRules {
    /// @notice IVault.registerOutcome of an allow-listed oracle.
    function register(
        OutcomeBook storage book,
        address conditionalTokens,
        address ctfCollateral,
        address oracle,
        bytes32 questionId,
        uint256 indexSet
    ) external returns (uint32 outcomeId) {
        IConditionalTokens tokens = IConditionalTokens(conditionalTokens);
        bytes32 conditionId = keccak256(abi.encodePacked(oracle, questionId, uint256(2)));
        if (indexSet == 0 || indexSet > 2 || tokens.getOutcomeSlotCount(conditionId) != 2) {
            revert IVault.ConditionNotBinary();
        }
        bytes32 collectionId = tokens.getCollectionId(bytes32(0), conditionId, indexSet);
        uint256 tokenId = uint256(keccak256(abi.encodePacked(ctfCollateral, collectionId)));
        outcomeId = _store(book, conditionId, tokenId, indexSet);
        emit IVault.OutcomeRegistered(outcomeId, conditionId, tokenId, oracle, questionId, indexSet);
    }

    /// @notice IVault.registerManagedOutcome.
    function registerManaged(
        OutcomeBook storage book,
        address positionManager,
        address oracleAggregator,
        bytes31 conditionId,
        uint256 outcomeIndex
    ) external returns (uint32 outcomeId) {
        if (positionManager == address(0)) revert IVault.NoPositionManager();
        uint256 moduleId = uint8(conditionId[0]);
        if (moduleId != OutcomeLedger.BINARY_MODULE) revert IVault.ModuleNotBinary(moduleId);
        if (!OutcomeLedger.isNative(conditionId, outcomeIndex)) revert IVault.ConditionNotNative();
        address module = IPositionManager(positionManager).moduleById(moduleId);
        if (module.code.length == 0) revert IVault.ModuleWithoutCode(module);
        // The result of a migrated one is known at ConditionalTokens before its module says so.
        if (IBinaryModule(module).legacyConditionId(conditionId) != 0) revert IVault.ConditionMigrated();
        // Anyone splits on any well-formed condition, also on one that will never be decided.
        address target = IOracleAggregator(oracleAggregator).requestConfigs(bytes29(conditionId));
        if (target != module) revert IVault.ConditionNotRequested(target);
        bytes32 condition = conditionId;
        uint256 tokenId = uint256(condition) | outcomeIndex;
        outcomeId = _store(book, condition, tokenId, outcomeIndex + 1);
        emit IVault.ManagedOutcomeRegistered(outcomeId, condition, tokenId, module, outcomeIndex + 1);
    }

    /// @dev Numbers an outcome and stores its names and index set, once.
    function _store(
        OutcomeBook storage book,
        bytes32 conditionId,
        uint256 tokenId,
        uint256 indexSet
    ) private returns (uint32 outcomeId) {
        OutcomeEntry storage entry = book.entries[conditionId][tokenId];
        if (entry.outcomeId != 0) revert IVault.OutcomeExists(entry.outcomeId);
        outcomeId = ++book.lastOutcomeId;
        entry.outcomeId = outcomeId;
        entry.indexSet = uint8(indexSet);
        book.outcomes[outcomeId] = StoredOutcome(conditionId, tokenId);
    }
}
