// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TwinPositionManager} from "./TwinPositionManager.sol";

/// @title TwinBinaryModule
/// @notice The venue's module of binary conditions for local use, written from what is known of the real one alone. It
/// splits any condition, also one that will never be decided, and works on what was sent to it before: what one
/// sends, another may use. A result is any two shares of a million.
/// @dev The real one burns collateral and mints it again; this one keeps it.
contract TwinBinaryModule {
    error ConditionAlreadyResolved();
    error ConditionNotResolved();
    error InvalidArrayLength();
    error InvalidOutcomeIndex();
    error InvalidResults();
    error MigrationNotSupported();
    error NotSent();
    error Unauthorized();

    event ConditionResolved(bytes31 indexed conditionId, uint256[] result);
    event PositionsSplit(
        address indexed initiator,
        bytes31 indexed conditionId,
        address indexed recipient0,
        address recipient1,
        uint256 amount
    );
    event PositionsMerged(
        address indexed initiator,
        bytes31 indexed conditionId,
        address indexed recipient,
        uint256 amount
    );
    event PositionRedeemed(
        address indexed initiator,
        uint256 indexed positionId,
        address indexed recipient,
        uint256 amount,
        uint256 payout
    );

    uint256 private constant WHOLE = 1_000_000;

    /// @notice Contract that holds the tokens.
    TwinPositionManager public immutable POSITION_MANAGER;
    /// @notice Collateral behind them.
    IERC20 public immutable COLLATERAL_TOKEN;
    /// @notice Contract that reports results.
    address public immutable RESOLVER;

    /// @notice Condition of ConditionalTokens that decides a migrated condition.
    mapping(bytes31 conditionId => bytes32 legacyCondition) public legacyConditionId;
    mapping(bytes31 conditionId => uint256[] shares) private _results;
    /// @dev Collateral behind the tokens that exist; what is held beyond it was sent for the next split.
    uint256 private _backing;

    constructor(TwinPositionManager positionManager, address resolver) {
        POSITION_MANAGER = positionManager;
        COLLATERAL_TOKEN = IERC20(positionManager.COLLATERAL_TOKEN());
        RESOLVER = resolver;
    }

    /// @notice Ties a condition to one of ConditionalTokens, whose id gives it its hash. Anyone may, here.
    function prepareMigrationCondition(bytes32 legacyCondition) external {
        uint256 condition = (uint256(1) << 248) | (uint256(uint128(uint256(legacyCondition))) << 120);
        legacyConditionId[bytes31(bytes32(condition))] = legacyCondition;
    }

    /// @notice Stores the result of a condition, once.
    function reportResult(bytes31 conditionId, uint256[] calldata result) external {
        if (msg.sender != RESOLVER) revert Unauthorized();
        if (legacyConditionId[conditionId] != 0) revert MigrationNotSupported();
        if (hasResult(conditionId)) revert ConditionAlreadyResolved();
        if (result.length != 2) revert InvalidArrayLength();
        if (result[0] + result[1] != WHOLE) revert InvalidResults();
        _results[conditionId] = result;
        emit ConditionResolved(conditionId, result);
    }

    /// @notice Makes a token of each outcome of the collateral that was sent here.
    function split(address[] calldata to, bytes31 conditionId, uint256 amount) external {
        if (to.length != 2) revert InvalidArrayLength();
        _backing += amount;
        if (COLLATERAL_TOKEN.balanceOf(address(this)) < _backing) revert NotSent();
        POSITION_MANAGER.mint(to[0], positionIdOf(conditionId, 0), amount);
        POSITION_MANAGER.mint(to[1], positionIdOf(conditionId, 1), amount);
        emit PositionsSplit(msg.sender, conditionId, to[0], to[1], amount);
    }

    /// @notice Makes collateral of the tokens of each outcome that were sent here.
    function merge(address to, bytes31 conditionId, uint256 amount) external {
        _pay(to, amount);
        POSITION_MANAGER.burn(positionIdOf(conditionId, 0), amount);
        POSITION_MANAGER.burn(positionIdOf(conditionId, 1), amount);
        emit PositionsMerged(msg.sender, conditionId, to, amount);
    }

    /// @notice Pays for tokens of a decided condition that were sent here.
    function redeem(address to, uint256 positionId, uint256 amount) external {
        uint256 payout = getPayout(positionId, amount);
        _pay(to, payout);
        POSITION_MANAGER.burn(positionId, amount);
        emit PositionRedeemed(msg.sender, positionId, to, amount, payout);
    }

    /// @notice Payout of tokens of a decided condition, in units of the collateral, floor.
    function getPayout(uint256 positionId, uint256 amount) public view returns (uint256 payout) {
        uint256 outcomeIndex = uint8(positionId);
        if (outcomeIndex > 1) revert InvalidOutcomeIndex();
        uint256[] storage result = _results[bytes31(bytes32(positionId))];
        if (result.length == 0) revert ConditionNotResolved();
        return (amount * result[outcomeIndex]) / WHOLE;
    }

    /// @notice Shares of both outcomes in millionths; empty while a condition is undecided.
    function getResult(bytes31 conditionId) external view returns (uint256[] memory result) {
        return _results[conditionId];
    }

    /// @notice Returns whether a condition is decided.
    function hasResult(bytes31 conditionId) public view returns (bool isDecided) {
        return _results[conditionId].length != 0;
    }

    /// @notice ERC-1155 id of an outcome.
    function positionIdOf(bytes31 conditionId, uint256 outcomeIndex) public pure returns (uint256 positionId) {
        return uint256(bytes32(conditionId)) | outcomeIndex;
    }

    function _pay(address to, uint256 amount) private {
        _backing -= amount;
        COLLATERAL_TOKEN.transfer(to, amount);
    }
}
