// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IConditionalTokens} from "../src/interfaces/IConditionalTokens.sol";
import {IVenueExchange} from "../src/interfaces/IVenueExchange.sol";

/// @title VenueExchange
/// @notice A binary-token exchange for local use, with the order semantics and the traps of a real one: only operators
/// match; an order has no expiry and its maker cannot cancel it; an operator may approve an order in advance and fill
/// it later with an empty signature; amounts are exact or the match reverts, unless the switch for the older status
/// is on: then a taker's order counts as filled gross, although what was not needed is handed back.
contract VenueExchange is IVenueExchange, Ownable, EIP712, ERC1155Holder, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    uint8 private constant BUY = 0;
    uint8 private constant SELL = 1;
    uint8 private constant EOA = 0;
    uint8 private constant ERC1271 = 3;
    uint256 private constant BPS = 10_000;
    bytes32 private constant ORDER_TYPEHASH =
        keccak256(
            "Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,"
            "uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)"
        );

    struct OrderStatus {
        bool filled;
        uint248 remaining;
    }


    event MarketRegistered(bytes32 indexed conditionId, uint256 indexed yesTokenId, uint256 indexed noTokenId);
    event OrderFilled(
        bytes32 indexed orderHash,
        address indexed maker,
        uint256 indexed tokenId,
        uint8 side,
        uint256 makerAmountFilled,
        uint256 takerAmountFilled,
        uint256 feeAmount
    );
    event OrdersMatched(
        bytes32 indexed takerOrderHash,
        address indexed taker,
        uint256 tokenId,
        uint256 makerAmountFilled
    );
    event OrderPreapproved(bytes32 indexed orderHash, bool approved);
    event OperatorChanged(address indexed operator, bool allowed);
    event UserPaused(address indexed user, bool paused);
    event GrossStatusChanged(bool grossStatus);
    event MaxFeeRateChanged(uint256 maxFeeRateBps);
    event FeeRecipientChanged(address indexed feeRecipient);

    error NotOperator();
    error LengthMismatch();
    error UserIsPaused(address user);
    error InvalidSignature(bytes32 orderHash);
    error OrderFilledAlready(bytes32 orderHash);
    error FillTooLarge(bytes32 orderHash);
    error PriceTooPoor(bytes32 orderHash);
    error FeeTooHigh(bytes32 orderHash);
    error OrdersDoNotMatch();
    error AmountsNotExact();
    error UnknownMarket(uint256 tokenId);

    IERC20 private immutable COLLATERAL;
    IConditionalTokens private immutable CTF;

    /// @inheritdoc IVenueExchange
    uint256 public maxFeeRateBps;
    /// @notice Receiver of all fees.
    address public feeRecipient;
    /// @notice Whether statuses count gross and unneeded money is handed back.
    bool public grossStatus;
    /// @notice Who may match.
    mapping(address account => bool allowed) public isOperator;
    /// @notice Users whose orders cannot be filled.
    mapping(address user => bool paused) public isPaused;
    /// @notice Orders that may be filled with an empty signature.
    mapping(bytes32 orderHash => bool approved) public isPreapproved;
    /// @notice The other token of a registered market.
    mapping(uint256 tokenId => uint256 otherTokenId) public complementOf;
    /// @notice The condition of a registered market's token.
    mapping(uint256 tokenId => bytes32 conditionId) public conditionOf;
    mapping(bytes32 orderHash => OrderStatus status) private _statuses;

    modifier onlyOperator() {
        if (!isOperator[msg.sender]) revert NotOperator();
        _;
    }

    /// @param collateral USDC
    /// @param conditionalTokens the real ConditionalTokens
    /// @param owner sets operators, fee rate, recipient and traps
    /// @param operator the first operator
    /// @param feeReceiver receives all fees
    constructor(
        address collateral,
        address conditionalTokens,
        address owner,
        address operator,
        address feeReceiver
    ) Ownable(owner) EIP712("Venue Exchange", "2") {
        COLLATERAL = IERC20(collateral);
        CTF = IConditionalTokens(conditionalTokens);
        isOperator[operator] = true;
        feeRecipient = feeReceiver;
        maxFeeRateBps = 1_000;
        IERC20(collateral).forceApprove(conditionalTokens, type(uint256).max);
        emit OperatorChanged(operator, true);
        emit FeeRecipientChanged(feeReceiver);
        emit MaxFeeRateChanged(maxFeeRateBps);
    }

    // ---------------------------------------------------------------- settings and traps

    /// @notice Adds or removes an operator.
    function setOperator(address operator, bool allowed) external onlyOwner {
        isOperator[operator] = allowed;
        emit OperatorChanged(operator, allowed);
    }

    /// @notice Sets the highest fee, in bps of the USDC traded.
    function setMaxFeeRateBps(uint256 feeRateBps) external onlyOwner {
        maxFeeRateBps = feeRateBps;
        emit MaxFeeRateChanged(feeRateBps);
    }

    /// @notice Sets the receiver of fees.
    function setFeeRecipient(address feeReceiver) external onlyOwner {
        feeRecipient = feeReceiver;
        emit FeeRecipientChanged(feeReceiver);
    }

    /// @notice Switches the older, gross order status on or off.
    function setGrossStatus(bool gross) external onlyOperator {
        grossStatus = gross;
        emit GrossStatusChanged(gross);
    }

    /// @notice Stops every fill of a user's orders, or allows them again.
    function pauseUser(address user, bool paused) external onlyOperator {
        isPaused[user] = paused;
        emit UserPaused(user, paused);
    }

    /// @notice Approves a validly signed order in advance: it may be filled later, whatever its maker does.
    function preapproveOrder(Order calldata order) external onlyOperator {
        bytes32 orderHash = hashOrder(order);
        _checkSignature(orderHash, order);
        isPreapproved[orderHash] = true;
        emit OrderPreapproved(orderHash, true);
    }

    /// @notice Takes an advance approval back.
    function invalidatePreapprovedOrder(bytes32 orderHash) external onlyOperator {
        isPreapproved[orderHash] = false;
        emit OrderPreapproved(orderHash, false);
    }

    /// @notice Makes a prepared binary condition known, so that its tokens can be minted and merged in matches.
    function registerMarket(bytes32 conditionId) external {
        uint256 yesTokenId = _tokenIdOf(conditionId, 1);
        uint256 noTokenId = _tokenIdOf(conditionId, 2);
        complementOf[yesTokenId] = noTokenId;
        complementOf[noTokenId] = yesTokenId;
        conditionOf[yesTokenId] = conditionId;
        conditionOf[noTokenId] = conditionId;
        emit MarketRegistered(conditionId, yesTokenId, noTokenId);
    }

    // ---------------------------------------------------------------- matching

    /// @notice Matches a taker's order with makers' orders at the makers' prices.
    /// @param takerFillAmount what the taker gives, in units of its maker asset, without fee
    /// @param takerReceiveAmount what the taker receives, in units of its taker asset, without fee
    /// @param makerFillAmounts what each maker gives
    /// @param takerFeeAmount USDC: on top for a BUY, out of proceeds for a SELL
    /// @param makerFeeAmounts the makers' fees, in the same way
    function matchOrders(
        Order calldata takerOrder,
        Order[] calldata makerOrders,
        uint256 takerFillAmount,
        uint256 takerReceiveAmount,
        uint256[] calldata makerFillAmounts,
        uint256 takerFeeAmount,
        uint256[] calldata makerFeeAmounts
    ) external onlyOperator nonReentrant {
        if (makerOrders.length != makerFillAmounts.length || makerOrders.length != makerFeeAmounts.length) {
            revert LengthMismatch();
        }
        uint256 usdcBefore = COLLATERAL.balanceOf(address(this));
        uint256 tokensBefore = CTF.balanceOf(address(this), takerOrder.tokenId);
        bytes32 takerHash = _fill(takerOrder, takerFillAmount, takerReceiveAmount, takerFeeAmount);
        _pull(takerOrder, takerFillAmount, takerFeeAmount);
        for (uint256 i = 0; i < makerOrders.length; ++i) {
            _settleMaker(takerOrder, makerOrders[i], makerFillAmounts[i], makerFeeAmounts[i]);
        }
        _deliver(takerOrder, takerReceiveAmount, takerFeeAmount);
        emit OrdersMatched(takerHash, takerOrder.maker, takerOrder.tokenId, takerFillAmount);
        _handBack(takerOrder, usdcBefore, tokensBefore);
    }

    /// @inheritdoc IVenueExchange
    function getOrderStatus(bytes32 orderHash) external view returns (bool filled, uint248 remaining) {
        OrderStatus memory status = _statuses[orderHash];
        return (status.filled, status.remaining);
    }

    /// @inheritdoc IVenueExchange
    function getCollateral() external view returns (address collateral) {
        return address(COLLATERAL);
    }

    /// @inheritdoc IVenueExchange
    function getCtf() external view returns (address conditionalTokens) {
        return address(CTF);
    }

    /// @inheritdoc IVenueExchange
    function hashOrder(Order calldata order) public view returns (bytes32 orderHash) {
        return
            _hashTypedDataV4(
                keccak256(
                    abi.encode(
                        ORDER_TYPEHASH,
                        order.salt,
                        order.maker,
                        order.signer,
                        order.tokenId,
                        order.makerAmount,
                        order.takerAmount,
                        order.side,
                        order.signatureType,
                        order.timestamp,
                        order.metadata,
                        order.builder
                    )
                )
            );
    }

    // ---------------------------------------------------------------- internal

    /// @dev Checks an order for this fill and moves its status.
    function _fill(
        Order calldata order,
        uint256 fillAmount,
        uint256 receiveAmount,
        uint256 feeAmount
    ) private returns (bytes32 orderHash) {
        orderHash = hashOrder(order);
        if (isPaused[order.maker]) revert UserIsPaused(order.maker);
        if (!(order.signature.length == 0 && isPreapproved[orderHash])) _checkSignature(orderHash, order);
        OrderStatus storage status = _statuses[orderHash];
        if (status.filled) revert OrderFilledAlready(orderHash);
        uint256 remaining = status.remaining == 0 ? order.makerAmount : status.remaining;
        if (fillAmount == 0 || fillAmount > remaining) revert FillTooLarge(orderHash);
        if (receiveAmount * order.makerAmount < fillAmount * order.takerAmount) revert PriceTooPoor(orderHash);
        uint256 usdcUnits = order.side == BUY ? fillAmount : receiveAmount;
        if (feeAmount * BPS > usdcUnits * maxFeeRateBps) revert FeeTooHigh(orderHash);

        status.remaining = uint248(remaining - fillAmount);
        status.filled = remaining == fillAmount;
        emit OrderFilled(
            orderHash,
            order.maker,
            order.tokenId,
            order.side,
            fillAmount,
            receiveAmount,
            feeAmount
        );
    }

    /// @dev One maker, receiving its price rounded up, against the taker: swap, mint a pair (both buy) or merge one
    /// (both sell).
    function _settleMaker(
        Order calldata takerOrder,
        Order calldata makerOrder,
        uint256 fillAmount,
        uint256 feeAmount
    ) private {
        uint256 takingAmount = (fillAmount * makerOrder.takerAmount + makerOrder.makerAmount - 1) /
            makerOrder.makerAmount;
        _fill(makerOrder, fillAmount, takingAmount, feeAmount);
        _pull(makerOrder, fillAmount, feeAmount);
        if (makerOrder.side == takerOrder.side) {
            if (complementOf[takerOrder.tokenId] != makerOrder.tokenId) revert OrdersDoNotMatch();
            bytes32 conditionId = conditionOf[makerOrder.tokenId];
            if (conditionId == bytes32(0)) revert UnknownMarket(makerOrder.tokenId);
            uint256[] memory partition = new uint256[](2);
            (partition[0], partition[1]) = (1, 2);
            if (makerOrder.side == BUY) {
                CTF.splitPosition(address(COLLATERAL), bytes32(0), conditionId, partition, takingAmount);
            } else {
                CTF.mergePositions(address(COLLATERAL), bytes32(0), conditionId, partition, fillAmount);
            }
        } else if (makerOrder.tokenId != takerOrder.tokenId) {
            revert OrdersDoNotMatch();
        }
        _deliver(makerOrder, takingAmount, feeAmount);
    }

    /// @dev Takes what an order gives, and a buyer's fee on top.
    function _pull(Order calldata order, uint256 fillAmount, uint256 feeAmount) private {
        if (order.side == SELL) {
            CTF.safeTransferFrom(order.maker, address(this), order.tokenId, fillAmount, "");
            return;
        }
        COLLATERAL.safeTransferFrom(order.maker, address(this), fillAmount + feeAmount);
        if (feeAmount != 0) COLLATERAL.safeTransfer(feeRecipient, feeAmount);
    }

    /// @dev Gives what an order receives, less a seller's fee.
    function _deliver(Order calldata order, uint256 receiveAmount, uint256 feeAmount) private {
        if (order.side == BUY) {
            CTF.safeTransferFrom(address(this), order.maker, order.tokenId, receiveAmount, "");
            return;
        }
        COLLATERAL.safeTransfer(order.maker, receiveAmount - feeAmount);
        if (feeAmount != 0) COLLATERAL.safeTransfer(feeRecipient, feeAmount);
    }

    /// @dev Nothing may stay here: exact amounts, or with the older status the rest goes back to the taker.
    function _handBack(Order calldata takerOrder, uint256 usdcBefore, uint256 tokensBefore) private {
        uint256 usdcLeft = COLLATERAL.balanceOf(address(this)) - usdcBefore;
        uint256 tokensLeft = CTF.balanceOf(address(this), takerOrder.tokenId) - tokensBefore;
        if (usdcLeft == 0 && tokensLeft == 0) return;
        if (!grossStatus) revert AmountsNotExact();
        if (usdcLeft != 0) COLLATERAL.safeTransfer(takerOrder.maker, usdcLeft);
        if (tokensLeft != 0) {
            CTF.safeTransferFrom(address(this), takerOrder.maker, takerOrder.tokenId, tokensLeft, "");
        }
    }

    function _checkSignature(bytes32 orderHash, Order calldata order) private view {
        bool valid;
        if (order.signatureType == EOA) {
            (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(orderHash, order.signature);
            valid = failure == ECDSA.RecoverError.NoError && signer == order.signer && order.signer == order.maker;
        } else if (order.signatureType == ERC1271 && order.signer == order.maker && order.maker.code.length != 0) {
            valid =
                IERC1271(order.maker).isValidSignature(orderHash, order.signature) ==
                IERC1271.isValidSignature.selector;
        }
        if (!valid) revert InvalidSignature(orderHash);
    }

    function _tokenIdOf(bytes32 conditionId, uint256 indexSet) private view returns (uint256) {
        return CTF.getPositionId(address(COLLATERAL), CTF.getCollectionId(bytes32(0), conditionId, indexSet));
    }
}
