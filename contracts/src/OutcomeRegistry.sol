// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IVault} from "./interfaces/IVault.sol";
import {IVenueExchange} from "./interfaces/IVenueExchange.sol";
import {OutcomeLedger} from "./libraries/OutcomeLedger.sol";
import {OutcomeRules} from "./OutcomeRules.sol";
import {OutcomeBook, StoredOutcome} from "./StoredOutcome.sol";
import {VaultRoles} from "./VaultRoles.sol";

/// @title OutcomeRegistry
/// @notice The outcome tokens positions may be opened in, of ConditionalTokens and of the PositionManager. Condition
/// and token id are derived on chain, so a signed quote can never name a token that its market does not redeem.
abstract contract OutcomeRegistry is VaultRoles, ReentrancyGuardTransient {
    /// @inheritdoc IVault
    address public immutable conditionalTokens;
    /// @inheritdoc IVault
    address public immutable ctfCollateral;
    address internal immutable _positionManager;
    address internal immutable _positionRouter;
    address internal immutable _oracleAggregator;

    OutcomeBook internal _book;

    /// @dev The vault checks the three contracts of Protocol V2, which may all be zero.
    constructor(address exchange, address positionManager, address positionRouter, address oracleAggregator) {
        _positionManager = positionManager;
        _positionRouter = positionRouter;
        _oracleAggregator = oracleAggregator;
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
        return OutcomeRules.register(_book, conditionalTokens, ctfCollateral, oracle, questionId, indexSet);
    }

    /// @inheritdoc IVault
    function registerManagedOutcome(
        bytes31 conditionId,
        uint256 outcomeIndex
    ) external nonReentrant returns (uint32 outcomeId) {
        return OutcomeRules.registerManaged(_book, _positionManager, _oracleAggregator, conditionId, outcomeIndex);
    }

    /// @inheritdoc IVault
    function outcomeOf(uint32 outcomeId) external view returns (Outcome memory outcome) {
        StoredOutcome storage names = _book.outcomes[outcomeId];
        return
            Outcome(
                names.conditionId,
                names.tokenId,
                _book.entries[names.conditionId][names.tokenId].indexSet,
                OutcomeLedger.isManaged(names.tokenId) ? Ledger.PositionManager : Ledger.ConditionalTokens
            );
    }

    /// @inheritdoc IVault
    function outcomeIdOf(bytes32 venueMarketId, uint256 venueTokenId) external view returns (uint32 outcomeId) {
        return _book.entries[venueMarketId][venueTokenId].outcomeId;
    }

    /// @inheritdoc IVault
    function managedContracts()
        external
        view
        returns (address positionManager, address positionRouter, address oracleAggregator)
    {
        return (_positionManager, _positionRouter, _oracleAggregator);
    }

    /// @dev Said of a venue's contracts at deployment.
    function _checkCode(address account) internal view {
        if (account.code.length == 0) revert VenueWithoutCode(account);
    }
}
