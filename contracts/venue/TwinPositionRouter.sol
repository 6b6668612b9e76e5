// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPositionRouter} from "../src/interfaces/IPositionRouter.sol";
import {TwinBinaryModule} from "./TwinBinaryModule.sol";
import {TwinPositionManager} from "./TwinPositionManager.sol";

/// @title TwinPositionRouter
/// @notice The venue's Router for local use, written from what is known of the real one alone: it sends what its caller
/// gives to the module and calls the module at once.
contract TwinPositionRouter is IPositionRouter {
    error InvalidOutcomeIndex();

    /// @inheritdoc IPositionRouter
    address public immutable POSITION_MANAGER;
    /// @inheritdoc IPositionRouter
    address public immutable COLLATERAL_TOKEN;

    constructor(TwinPositionManager positionManager) {
        POSITION_MANAGER = address(positionManager);
        COLLATERAL_TOKEN = positionManager.COLLATERAL_TOKEN();
    }

    /// @inheritdoc IPositionRouter
    function split(bytes31 conditionId, uint256 amount) external {
        address[] memory to = new address[](2);
        (to[0], to[1]) = (msg.sender, msg.sender);
        TwinBinaryModule module = _moduleOf(conditionId);
        IERC20(COLLATERAL_TOKEN).transferFrom(msg.sender, address(module), amount);
        module.split(to, conditionId, amount);
    }

    /// @inheritdoc IPositionRouter
    function merge(bytes31 conditionId, uint256 amount) external {
        TwinBinaryModule module = _moduleOf(conditionId);
        _send(module, conditionId, 0, amount);
        _send(module, conditionId, 1, amount);
        module.merge(msg.sender, conditionId, amount);
    }

    /// @inheritdoc IPositionRouter
    function redeem(bytes31 conditionId, uint256 outcomeIndex, uint256 amount) external {
        if (outcomeIndex > 1) revert InvalidOutcomeIndex();
        TwinBinaryModule module = _moduleOf(conditionId);
        _send(module, conditionId, outcomeIndex, amount);
        module.redeem(msg.sender, module.positionIdOf(conditionId, outcomeIndex), amount);
    }

    function _send(TwinBinaryModule module, bytes31 conditionId, uint256 outcomeIndex, uint256 amount) private {
        uint256 id = module.positionIdOf(conditionId, outcomeIndex);
        TwinPositionManager(POSITION_MANAGER).unsafeTransferFrom(msg.sender, address(module), id, amount);
    }

    function _moduleOf(bytes31 conditionId) private view returns (TwinBinaryModule module) {
        return TwinBinaryModule(TwinPositionManager(POSITION_MANAGER).moduleById(uint8(conditionId[0])));
    }
}
