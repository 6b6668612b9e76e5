// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IConditionalTokens} from "../interfaces/IConditionalTokens.sol";
import {IGrantFiller} from "../interfaces/IGrantFiller.sol";
import {IPairFiller} from "../interfaces/IPairFiller.sol";
import {IPositionRouter} from "../interfaces/IPositionRouter.sol";
import {IVault} from "../interfaces/IVault.sol";

/// @title PairFiller
/// @notice Fills opening grants with pairs that are made of the vault's own payment and what its caller adds. It has no
/// owner, no storage and no money between two fills: its approvals, of the vault and of what makes pairs, are safe
/// because nothing is here that they could move.
contract PairFiller is IPairFiller, IGrantFiller, ERC1155Holder, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice Facts that a fill hands to its own callback.
    struct Pair {
        address caller;
        address tokens;
        bytes32 conditionId;
        uint256 complementTokenId;
    }

    /// @inheritdoc IPairFiller
    address public immutable vault;
    IERC20 private immutable USDC;
    address private immutable CONDITIONAL_TOKENS;
    address private immutable CTF_COLLATERAL;
    address private immutable REDEEMER;
    address private immutable POSITION_MANAGER;
    address private immutable POSITION_ROUTER;

    /// @dev Read every other contract from the vault, and approve it for what a fill moves.
    constructor(IVault filledVault) {
        vault = address(filledVault);
        USDC = IERC20(filledVault.usdc());
        CONDITIONAL_TOKENS = filledVault.conditionalTokens();
        CTF_COLLATERAL = filledVault.ctfCollateral();
        REDEEMER = filledVault.redeemer();
        (POSITION_MANAGER, POSITION_ROUTER, ) = filledVault.managedContracts();
        USDC.forceApprove(REDEEMER, type(uint256).max);
        IERC1155(CONDITIONAL_TOKENS).setApprovalForAll(vault, true);
        if (POSITION_MANAGER == address(0)) return;
        USDC.forceApprove(POSITION_ROUTER, type(uint256).max);
        IERC1155(POSITION_MANAGER).setApprovalForAll(vault, true);
    }

    /// @inheritdoc IPairFiller
    function fill(
        bytes32 positionKey,
        uint256 giveUnits,
        uint256 takeUnits,
        uint256 complementTokenId
    ) external nonReentrant returns (uint256 givenUnits, uint256 takenUnits) {
        // Where there is no grant, the vault says so.
        if (IVault(vault).grantOf(positionKey).purpose > IVault.Purpose.Open) revert NotAnOpening();
        IVault.Outcome memory outcome = IVault(vault).outcomeOf(IVault(vault).positionOf(positionKey).outcomeId);
        if (complementTokenId == outcome.tokenId) revert WrongComplement(complementTokenId);
        bool isManaged = outcome.ledger == IVault.Ledger.PositionManager;
        address tokens = isManaged ? POSITION_MANAGER : CONDITIONAL_TOKENS;
        bytes memory data = abi.encode(Pair(msg.sender, tokens, outcome.conditionId, complementTokenId));
        (givenUnits, takenUnits) = IVault(vault).fill(positionKey, giveUnits, takeUnits, data);
        uint256 rest = USDC.balanceOf(address(this));
        if (rest != 0) USDC.safeTransfer(msg.sender, rest);
        // Last: a caller with code is called.
        uint256 complement = IERC1155(tokens).balanceOf(address(this), complementTokenId);
        IERC1155(tokens).safeTransferFrom(address(this), msg.sender, complementTokenId, complement, "");
    }

    /// @inheritdoc IGrantFiller
    /// @dev The vault calls only who called its fill, with the data of that call: both are from fill.
    function onGrantFill(bytes32, uint256 giveUnits, uint256 takeUnits, bytes calldata data) external {
        if (msg.sender != vault || !_reentrancyGuardEntered()) revert NotInsideFill();
        Pair memory pair = abi.decode(data, (Pair));
        if (giveUnits > takeUnits) USDC.safeTransferFrom(pair.caller, address(this), giveUnits - takeUnits);
        uint256 complement = IERC1155(pair.tokens).balanceOf(address(this), pair.complementTokenId);
        if (pair.tokens == CONDITIONAL_TOKENS) _splitPosition(pair.conditionId, giveUnits);
        else IPositionRouter(POSITION_ROUTER).split(bytes31(pair.conditionId), giveUnits);
        // Any other token of that ledger did not grow by the split.
        if (IERC1155(pair.tokens).balanceOf(address(this), pair.complementTokenId) < complement + giveUnits) {
            revert WrongComplement(pair.complementTokenId);
        }
    }

    /// @dev ERC-1155: tokens of a split, in a fill alone.
    function onERC1155Received(
        address operator,
        address from,
        uint256 id,
        uint256 value,
        bytes memory data
    ) public override returns (bytes4) {
        _checkTokens();
        return super.onERC1155Received(operator, from, id, value, data);
    }

    /// @dev ERC-1155: as onERC1155Received.
    function onERC1155BatchReceived(
        address operator,
        address from,
        uint256[] memory ids,
        uint256[] memory values,
        bytes memory data
    ) public override returns (bytes4) {
        _checkTokens();
        return super.onERC1155BatchReceived(operator, from, ids, values, data);
    }

    /// @dev At ConditionalTokens, or at the adapter in front of it, which ignores the collateral.
    function _splitPosition(bytes32 conditionId, uint256 pairs) private {
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        IConditionalTokens(REDEEMER).splitPosition(CTF_COLLATERAL, bytes32(0), conditionId, partition, pairs);
    }

    function _checkTokens() private view {
        bool isLedger = msg.sender == CONDITIONAL_TOKENS || msg.sender == POSITION_MANAGER;
        if (!isLedger || !_reentrancyGuardEntered()) revert TokensNotFromSplit();
    }
}
