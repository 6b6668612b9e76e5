// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IConditionalTokens} from "./interfaces/IConditionalTokens.sol";
import {IVault} from "./interfaces/IVault.sol";
import {IVenueExchange} from "./interfaces/IVenueExchange.sol";
import {StoredOutcome} from "./StoredOutcome.sol";
import {VaultRoles} from "./VaultRoles.sol";

/// @title OutcomeRegistry
/// @notice The outcome tokens positions may be opened in. Condition and token id are derived on chain, so a signed
/// quote can never name a token that its market does not redeem.
abstract contract OutcomeRegistry is VaultRoles, ReentrancyGuardTransient {
    /// @dev What is known of a registered token besides its two names.
    struct OutcomeEntry {
        uint32 outcomeId;
        uint8 indexSet;
    }

    /// @inheritdoc IVault
    address public immutable conditionalTokens;
    /// @inheritdoc IVault
    address public immutable ctfCollateral;

    uint32 private _lastOutcomeId;
    mapping(uint32 outcomeId => StoredOutcome names) internal _outcomes;
    mapping(bytes32 conditionId => mapping(uint256 tokenId => OutcomeEntry entry)) internal _outcomeEntries;

    constructor(address exchange) {
        _checkCode(exchange);
        conditionalTokens = IVenueExchange(exchange).getCtf();
        ctfCollateral = IVenueExchange(exchange).getCtfCollateral();
        _checkCode(conditionalTokens);
    }

    /// @inheritdoc IVault
    function registerOutcome(
        address oracle,
        bytes32 questionId,
        uint256 indexSet
    ) external nonReentrant returns (uint32 outcomeId) {
        if (!_roles[Role.Oracle][oracle]) revert OracleNotAllowed(oracle);
        IConditionalTokens tokens = IConditionalTokens(conditionalTokens);
        bytes32 conditionId = keccak256(abi.encodePacked(oracle, questionId, uint256(2)));
        if (indexSet == 0 || indexSet > 2 || tokens.getOutcomeSlotCount(conditionId) != 2) revert ConditionNotBinary();
        bytes32 collectionId = tokens.getCollectionId(bytes32(0), conditionId, indexSet);
        uint256 tokenId = uint256(keccak256(abi.encodePacked(ctfCollateral, collectionId)));
        OutcomeEntry storage entry = _outcomeEntries[conditionId][tokenId];
        if (entry.outcomeId != 0) revert OutcomeExists(entry.outcomeId);

        outcomeId = ++_lastOutcomeId;
        entry.outcomeId = outcomeId;
        entry.indexSet = uint8(indexSet);
        _outcomes[outcomeId] = StoredOutcome(conditionId, tokenId);

        emit OutcomeRegistered(outcomeId, conditionId, tokenId, oracle, questionId, indexSet);
    }

    /// @inheritdoc IVault
    function outcomeOf(uint32 outcomeId) external view returns (Outcome memory outcome) {
        StoredOutcome storage names = _outcomes[outcomeId];
        return Outcome(names.conditionId, names.tokenId, _outcomeEntries[names.conditionId][names.tokenId].indexSet);
    }

    /// @inheritdoc IVault
    function outcomeIdOf(bytes32 venueMarketId, uint256 venueTokenId) external view returns (uint32 outcomeId) {
        return _outcomeEntries[venueMarketId][venueTokenId].outcomeId;
    }

    /// @dev Said of a venue's contracts at deployment.
    function _checkCode(address account) internal view {
        if (account.code.length == 0) revert VenueWithoutCode(account);
    }
}
