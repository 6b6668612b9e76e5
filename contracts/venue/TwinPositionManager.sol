// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {TwinBinaryModule} from "./TwinBinaryModule.sol";

/// @title TwinPositionManager
/// @notice The venue's PositionManager for local use, written from what is known of the real one alone: an ERC-1155
/// contract whose modules mint and burn. Only `safeTransferFrom` and its batch call a receiver; a mint and an unsafe
/// transfer reach anyone.
contract TwinPositionManager is ERC1155 {
    error ModuleNotRegistered();
    error NotOwnerNorApproved();
    error Unauthorized();

    event ModuleAdded(uint256 indexed moduleId, address indexed module);

    /// @notice Collateral behind every id.
    address public immutable COLLATERAL_TOKEN;

    /// @notice Contract that decides, mints and burns the ids of a module.
    mapping(uint256 moduleId => address module) public moduleById;

    modifier onlyModuleOf(uint256 positionId) {
        if (moduleById[positionId >> 248] != msg.sender) revert Unauthorized();
        _;
    }

    constructor(address collateralToken) ERC1155("") {
        COLLATERAL_TOKEN = collateralToken;
    }

    /// @notice Names the contract of a module. Anyone may, here.
    function addModule(uint256 moduleId, address module) external {
        moduleById[moduleId] = module;
        emit ModuleAdded(moduleId, module);
    }

    /// @notice Creates tokens of a module's id; the receiver is not called.
    function mint(address to, uint256 positionId, uint256 amount) external onlyModuleOf(positionId) {
        _move(address(0), to, positionId, amount);
    }

    /// @notice Burns tokens that the calling module holds.
    function burn(uint256 positionId, uint256 amount) external onlyModuleOf(positionId) {
        _move(msg.sender, address(0), positionId, amount);
    }

    /// @notice A transfer without a call of the receiver.
    function unsafeTransferFrom(address from, address to, uint256 id, uint256 amount) external {
        if (msg.sender != from && !isApprovedForAll(from, msg.sender)) revert NotOwnerNorApproved();
        if (to == address(0)) revert ERC1155InvalidReceiver(to);
        _move(from, to, id, amount);
    }

    /// @notice Payout of tokens of a decided condition, in units of the collateral, floor.
    function getPayout(uint256 positionId, uint256 amount) external view returns (uint256 payout) {
        address module = moduleById[positionId >> 248];
        if (module == address(0)) revert ModuleNotRegistered();
        return TwinBinaryModule(module).getPayout(positionId, amount);
    }

    /// @dev Without a call of the receiver.
    function _move(address from, address to, uint256 id, uint256 amount) private {
        uint256[] memory ids = new uint256[](1);
        uint256[] memory amounts = new uint256[](1);
        (ids[0], amounts[0]) = (id, amount);
        _update(from, to, ids, amounts);
    }
}
