// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IConditionalTokens} from "./interfaces/IConditionalTokens.sol";
import {IPositionAccount} from "./interfaces/IPositionAccount.sol";
import {IPositionManager} from "./interfaces/IPositionManager.sol";
import {IPositionRouter} from "./interfaces/IPositionRouter.sol";
import {IVault} from "./interfaces/IVault.sol";

/// @title PositionAccount
/// @notice The code behind every position's clone. It has no storage: addresses are immutables of this implementation,
/// the position key is the clone's immutable argument.
contract PositionAccount is IPositionAccount, IERC1271, IERC1155Receiver {
    using SafeERC20 for IERC20;

    uint256 private constant GAS_AFTER_REFUSAL = 10_000;

    IVault private immutable VAULT;
    IERC20 private immutable USDC;
    IConditionalTokens private immutable CONDITIONAL_TOKENS;
    address private immutable CTF_COLLATERAL;
    address private immutable REDEEMER;
    address private immutable EXCHANGE;
    IPositionManager private immutable POSITION_MANAGER;
    IPositionRouter private immutable POSITION_ROUTER;

    modifier onlyVault() {
        if (msg.sender != address(VAULT)) revert OnlyVault();
        _;
    }

    /// @dev Deployed by the vault's constructor, which becomes the only caller.
    constructor(
        address usdc,
        address conditionalTokens,
        address ctfCollateral,
        address redeemer,
        address exchange,
        address positionManager,
        address positionRouter
    ) {
        VAULT = IVault(msg.sender);
        USDC = IERC20(usdc);
        CONDITIONAL_TOKENS = IConditionalTokens(conditionalTokens);
        CTF_COLLATERAL = ctfCollateral;
        REDEEMER = redeemer;
        EXCHANGE = exchange;
        POSITION_MANAGER = IPositionManager(positionManager);
        POSITION_ROUTER = IPositionRouter(positionRouter);
    }

    /// @inheritdoc IPositionAccount
    function allowUsdc(uint256 usdcUnits) external onlyVault {
        if (usdcUnits != 0) USDC.forceApprove(EXCHANGE, usdcUnits);
        else if (!_tryDisallowUsdc()) _checkGas();
    }

    /// @inheritdoc IPositionAccount
    function allowTokens(bool allowed) external onlyVault {
        CONDITIONAL_TOKENS.setApprovalForAll(EXCHANGE, allowed);
    }

    /// @inheritdoc IPositionAccount
    function sendUsdc(
        address pool,
        uint256 poolUsdcUnits,
        address user,
        uint256 userUsdcUnits
    ) external onlyVault returns (bool sent) {
        if (poolUsdcUnits != 0) USDC.safeTransfer(pool, poolUsdcUnits);
        sent = userUsdcUnits == 0 || USDC.trySafeTransfer(user, userUsdcUnits);
        if (!sent) _checkGas();
    }

    /// @inheritdoc IPositionAccount
    function sendTokens(address tokens, address to, uint256 tokenId, uint256 tokenUnits) external onlyVault {
        IERC1155(tokens).safeTransferFrom(address(this), to, tokenId, tokenUnits, "");
    }

    /// @inheritdoc IPositionAccount
    function trySendTokens(
        address tokens,
        address to,
        uint256 tokenId,
        uint256 tokenUnits
    ) external onlyVault returns (bool sent) {
        try IERC1155(tokens).safeTransferFrom(address(this), to, tokenId, tokenUnits, "") {
            return true;
        } catch {
            _checkGas();
            return false;
        }
    }

    /// @inheritdoc IPositionAccount
    function redeem(
        address tokens,
        bytes32 conditionId,
        uint256 indexSet,
        uint256 tokenUnits
    ) external onlyVault {
        if (tokens != address(CONDITIONAL_TOKENS)) {
            POSITION_MANAGER.setApprovalForAll(address(POSITION_ROUTER), true);
            POSITION_ROUTER.redeem(bytes31(conditionId), indexSet - 1, tokenUnits);
            return POSITION_MANAGER.setApprovalForAll(address(POSITION_ROUTER), false);
        }
        uint256[] memory indexSets = new uint256[](1);
        indexSets[0] = indexSet;
        bool needsApproval = REDEEMER != address(CONDITIONAL_TOKENS);
        if (needsApproval) CONDITIONAL_TOKENS.setApprovalForAll(REDEEMER, true);
        IConditionalTokens(REDEEMER).redeemPositions(CTF_COLLATERAL, bytes32(0), conditionId, indexSets);
        if (needsApproval) CONDITIONAL_TOKENS.setApprovalForAll(REDEEMER, false);
    }

    /// @dev ERC-1155: outcome tokens come by the exchange's own transfers, or by the vault's for who fills a grant. The
    /// PositionManager calls the receiver of some transfers only.
    function onERC1155Received(
        address operator,
        address,
        uint256,
        uint256,
        bytes calldata
    ) external view returns (bytes4) {
        _checkTokens(operator);
        return IERC1155Receiver.onERC1155Received.selector;
    }

    /// @dev ERC-1155: as onERC1155Received.
    function onERC1155BatchReceived(
        address operator,
        address,
        uint256[] calldata,
        uint256[] calldata,
        bytes calldata
    ) external view returns (bytes4) {
        _checkTokens(operator);
        return IERC1155Receiver.onERC1155BatchReceived.selector;
    }

    /// @inheritdoc IPositionAccount
    function isValidSignature(
        bytes32 orderHash,
        bytes calldata
    ) external view override(IERC1271, IPositionAccount) returns (bytes4 magicValue) {
        return VAULT.isLiveOrder(positionKey(), orderHash) ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @dev ERC-165: receiver of ERC-1155 tokens and checker of signatures.
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return
            interfaceId == type(IERC1155Receiver).interfaceId ||
            interfaceId == type(IERC1271).interfaceId ||
            interfaceId == type(IERC165).interfaceId;
    }

    /// @inheritdoc IPositionAccount
    function positionKey() public view returns (bytes32 key) {
        return bytes32(Clones.fetchCloneArgs(address(this)));
    }

    /// @dev USDC takes no approval for a blacklisted exchange, not even of nothing; it cannot pull then, and an
    /// ending continues. In assembly because every opening pays for it: only whether the call went through is read.
    function _tryDisallowUsdc() private returns (bool taken) {
        bytes4 selector = IERC20.approve.selector;
        address usdc = address(USDC);
        address exchange = EXCHANGE;
        assembly ("memory-safe") {
            mstore(0x00, selector)
            mstore(0x04, exchange)
            // Ends in the first bytes of the free memory pointer, which are zero already.
            mstore(0x24, 0)
            taken := call(gas(), usdc, 0, 0x00, 0x44, 0, 0)
        }
    }

    /// @dev Everything else is a donation, which could disturb what an order is measured by.
    function _checkTokens(address operator) private view {
        bool isOfVault = operator == address(VAULT);
        bool isTrade = msg.sender == address(CONDITIONAL_TOKENS)
            ? isOfVault || operator == EXCHANGE
            : isOfVault && msg.sender == address(POSITION_MANAGER);
        if (!isTrade) revert TokensNotFromExchange();
    }

    /// @dev A refusal counts only when it was not made by starving the call of gas: an out-of-gas leaves next to none.
    function _checkGas() private view {
        if (gasleft() < GAS_AFTER_REFUSAL) revert GasTooLow();
    }
}
