// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IConditionalTokens} from "../src/interfaces/IConditionalTokens.sol";
import {IVenueExchange} from "../src/interfaces/IVenueExchange.sol";

/// @title VenueExchange
/// @notice The venue's exchange for local use: it settles as the real one does, and knows its traps. Only operators
/// match; an order has no expiry and its maker cannot cancel it; an operator may approve an order in advance and fill
/// it later with an empty signature. The traps are switches, all off at first: every match reverts, as after a fill
/// that was shown off chain (a ghost); an operator pauses others, at once; direct fills are loose, as they were before
/// the venue's audit: the taker's order then moves by `takerFillAmount`, whatever its makers took.
contract VenueExchange is IVenueExchange, Ownable, EIP712, ERC1155Holder {
    using SafeERC20 for IERC20;

    uint8 private constant BUY = 0;
    uint8 private constant SELL = 1;
    uint8 private constant EOA = 0;
    uint8 private constant ERC1271 = 3;
    uint256 private constant BPS = 10_000;
    uint256 private constant PAUSE_BLOCKS = 100;
    bytes32 private constant ORDER_TYPEHASH =
        keccak256(
            "Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,"
            "uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)"
        );

    struct OrderStatus {
        bool filled;
        uint248 remaining;
    }

    /// @notice Arguments of the deployment.
    struct Deployment {
        /// USDC, which it trades against.
        address collateral;
        /// The real ConditionalTokens.
        address conditionalTokens;
        /// Collateral that token ids are derived from.
        address ctfCollateral;
        /// Mints, merges and redeems pairs.
        address outcomeTokenFactory;
        /// Sets operators, fee rate and receiver.
        address owner;
        /// The first operator.
        address operator;
        /// Receives all fees.
        address feeReceiver;
    }

    /// @dev One order's part of a match: what it gives, the floor of what that takes, and its fee.
    struct Part {
        bytes32 orderHash;
        uint256 gives;
        uint256 takes;
        uint256 fee;
    }

    event NewOperator(address indexed operator, address indexed owner);
    event RemovedOperator(address indexed operator, address indexed owner);
    event FeeReceiverUpdated(address indexed feeReceiver);
    event MaxFeeRateUpdated(uint256 maxFeeRate);
    event TrapsChanged(bool ghostFills, bool looseDirectFills);
    event OperatorPauseChanged(address indexed user, bool paused);

    error MaxFeeRateExceedsCeiling();
    error GhostFill();

    IERC20 private immutable COLLATERAL;
    IConditionalTokens private immutable CTF;
    address private immutable CTF_COLLATERAL;
    IConditionalTokens private immutable FACTORY;

    /// @inheritdoc IVenueExchange
    uint256 public getMaxFeeRate = 1_000;
    /// @inheritdoc IVenueExchange
    address public getFeeReceiver;
    /// @notice Returns whether every match reverts.
    bool public ghostFills;
    /// @notice Returns whether a direct match moves the taker's order by `takerFillAmount`, whatever its makers take.
    bool public looseDirectFills;
    /// @inheritdoc IVenueExchange
    mapping(address account => bool allowed) public isOperator;
    /// @inheritdoc IVenueExchange
    mapping(address user => uint256 blockNumber) public userPausedBlockAt;
    /// @notice Users whom an operator has paused.
    mapping(address user => bool paused) public isPausedByOperator;
    /// @notice Orders that may be filled with an empty signature.
    mapping(bytes32 orderHash => bool approved) public isPreapproved;
    mapping(bytes32 orderHash => OrderStatus status) private _statuses;

    modifier onlyOperator() {
        if (!isOperator[msg.sender]) revert NotOperator();
        _;
    }

    constructor(Deployment memory d) Ownable(d.owner) EIP712("Venue Exchange", "2") {
        COLLATERAL = IERC20(d.collateral);
        CTF = IConditionalTokens(d.conditionalTokens);
        CTF_COLLATERAL = d.ctfCollateral;
        FACTORY = IConditionalTokens(d.outcomeTokenFactory);
        isOperator[d.operator] = true;
        getFeeReceiver = d.feeReceiver;
        COLLATERAL.forceApprove(d.outcomeTokenFactory, type(uint256).max);
        if (d.outcomeTokenFactory != d.conditionalTokens) CTF.setApprovalForAll(d.outcomeTokenFactory, true);
        emit NewOperator(d.operator, d.owner);
        emit FeeReceiverUpdated(d.feeReceiver);
    }

    // ---------------------------------------------------------------- settings

    /// @notice Lets an account match.
    function addOperator(address operator) external onlyOwner {
        isOperator[operator] = true;
        emit NewOperator(operator, msg.sender);
    }

    /// @notice Lets an account match no longer.
    function removeOperator(address operator) external onlyOwner {
        isOperator[operator] = false;
        emit RemovedOperator(operator, msg.sender);
    }

    /// @notice Sets the highest fee, in bps of the USDC traded. 0 means no limit; 9,999 is the most.
    function setMaxFeeRate(uint256 rate) external onlyOwner {
        if (rate >= BPS) revert MaxFeeRateExceedsCeiling();
        getMaxFeeRate = rate;
        emit MaxFeeRateUpdated(rate);
    }

    /// @notice Sets the receiver of fees.
    function setFeeReceiver(address receiver) external onlyOwner {
        getFeeReceiver = receiver;
        emit FeeReceiverUpdated(receiver);
    }

    // ---------------------------------------------------------------- traps

    /// @notice Switches the traps of matching: every match reverts; direct matches are loose.
    function setTraps(bool ghosts, bool looseDirect) external onlyOperator {
        ghostFills = ghosts;
        looseDirectFills = looseDirect;
        emit TrapsChanged(ghosts, looseDirect);
    }

    /// @notice Stops every fill of a user's orders at once, or allows them again.
    function pauseByOperator(address user, bool paused) external onlyOperator {
        isPausedByOperator[user] = paused;
        emit OperatorPauseChanged(user, paused);
    }

    // ---------------------------------------------------------------- users

    /// @inheritdoc IVenueExchange
    function pauseUser() external {
        if (userPausedBlockAt[msg.sender] != 0) revert UserAlreadyPaused();
        uint256 effectiveBlock = block.number + PAUSE_BLOCKS;
        userPausedBlockAt[msg.sender] = effectiveBlock;
        emit UserPaused(msg.sender, effectiveBlock);
    }

    /// @inheritdoc IVenueExchange
    function unpauseUser() external {
        userPausedBlockAt[msg.sender] = 0;
        emit UserUnpaused(msg.sender);
    }

    // ---------------------------------------------------------------- matching

    /// @inheritdoc IVenueExchange
    function preapproveOrder(Order calldata order) external onlyOperator {
        bytes32 orderHash = hashOrder(order);
        if (!_isSigned(orderHash, order)) revert InvalidSignature();
        isPreapproved[orderHash] = true;
        emit OrderPreapproved(orderHash);
    }

    /// @inheritdoc IVenueExchange
    function invalidatePreapprovedOrder(bytes32 orderHash) external onlyOperator {
        isPreapproved[orderHash] = false;
        emit OrderPreapprovalInvalidated(orderHash);
    }

    /// @inheritdoc IVenueExchange
    function matchOrders(
        bytes32 conditionId,
        Order calldata takerOrder,
        Order[] calldata makerOrders,
        uint256 takerFillAmount,
        uint256[] calldata makerFillAmounts,
        uint256 takerFeeAmount,
        uint256[] calldata makerFeeAmounts
    ) external onlyOperator {
        if (ghostFills) revert GhostFill();
        if (makerOrders.length == 0) revert NoMakerOrders();
        if (makerOrders.length != makerFillAmounts.length || makerOrders.length != makerFeeAmounts.length) {
            revert MismatchedArrayLengths();
        }
        uint256 pairs = _checkTokens(conditionId, takerOrder, makerOrders);
        Part memory taking = Part(hashOrder(takerOrder), takerFillAmount, 0, takerFeeAmount);
        if (pairs == 0) _matchDirectly(taking, takerOrder, makerOrders, makerFillAmounts, makerFeeAmounts);
        else _matchInside(conditionId, taking, takerOrder, makerOrders, makerFillAmounts, makerFeeAmounts);
        emit OrdersMatched(
            taking.orderHash,
            takerOrder.maker,
            takerOrder.side,
            takerOrder.tokenId,
            taking.gives,
            taking.takes
        );
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
    function getCtfCollateral() external view returns (address ctfCollateral) {
        return CTF_COLLATERAL;
    }

    /// @inheritdoc IVenueExchange
    function getOutcomeTokenFactory() external view returns (address outcomeTokenFactory) {
        return address(FACTORY);
    }

    /// @inheritdoc IVenueExchange
    function userPauseBlockInterval() external pure returns (uint256 blocks) {
        return PAUSE_BLOCKS;
    }

    /// @inheritdoc IVenueExchange
    function isUserPaused(address user) public view returns (bool paused) {
        uint256 effectiveBlock = userPausedBlockAt[user];
        return isPausedByOperator[user] || (effectiveBlock != 0 && block.number >= effectiveBlock);
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

    // ---------------------------------------------------------------- direct

    /// @dev All makers are on the other side: money and tokens go straight across. What the makers took is what the
    /// taker gave, and its order moves by that; loosely, by what the operator said.
    function _matchDirectly(
        Part memory taking,
        Order calldata takerOrder,
        Order[] calldata makerOrders,
        uint256[] calldata makerFillAmounts,
        uint256[] calldata makerFeeAmounts
    ) private {
        _checkConsent(taking.orderHash, takerOrder);
        uint256 given = 0;
        uint256 fees = taking.fee;
        for (uint256 i = 0; i < makerOrders.length; ++i) {
            Part memory making = _start(makerOrders[i], makerFillAmounts[i], makerFeeAmounts[i]);
            _cross(takerOrder, makerOrders[i], making);
            given += making.takes;
            taking.takes += making.gives;
            fees += making.fee;
        }
        _moveDirectly(taking, takerOrder, given);
        _charge(taking.fee);
        if (takerOrder.side == BUY) {
            if (fees != 0) COLLATERAL.safeTransferFrom(takerOrder.maker, getFeeReceiver, fees);
        } else {
            if (taking.fee > taking.takes) revert FeeExceedsProceeds();
            COLLATERAL.safeTransfer(takerOrder.maker, taking.takes - taking.fee);
            if (fees != 0) COLLATERAL.safeTransfer(getFeeReceiver, fees);
        }
        _emitFilled(takerOrder, taking, address(this));
    }

    /// @dev The taker's order after all its makers: strictly, by what it gave and for no less than its price.
    function _moveDirectly(Part memory taking, Order calldata takerOrder, uint256 given) private {
        if (!looseDirectFills) {
            if (given > taking.gives) revert ComplementaryFillExceedsTakerFill();
            taking.gives = given;
        }
        uint256 minimum = _takesOf(takerOrder, taking.gives);
        _checkFee(takerOrder, taking.gives, minimum, taking.fee);
        if (!looseDirectFills && taking.takes < minimum) revert TooLittleTokensReceived();
        _move(taking.orderHash, takerOrder, taking.gives);
    }

    /// @dev One maker across from the taker. A seller's fee stays with the taker, who pays all fees at the end; a
    /// buyer's money passes through the exchange.
    function _cross(Order calldata takerOrder, Order calldata makerOrder, Part memory making) private {
        _checkPrices(takerOrder, makerOrder);
        if (takerOrder.side == BUY) {
            if (making.fee > making.takes) revert FeeExceedsProceeds();
            CTF.safeTransferFrom(makerOrder.maker, takerOrder.maker, makerOrder.tokenId, making.gives, "");
            COLLATERAL.safeTransferFrom(takerOrder.maker, makerOrder.maker, making.takes - making.fee);
        } else {
            CTF.safeTransferFrom(takerOrder.maker, makerOrder.maker, takerOrder.tokenId, making.takes, "");
            COLLATERAL.safeTransferFrom(makerOrder.maker, address(this), making.gives + making.fee);
        }
        _charge(making.fee);
        _emitFilled(makerOrder, making, takerOrder.maker);
    }

    // ---------------------------------------------------------------- mint and merge

    /// @dev Some maker is on the taker's side: everything passes through the exchange, which mints or merges what the
    /// match needs. What the taker gave and was not needed goes back, though its order has moved by all of it.
    function _matchInside(
        bytes32 conditionId,
        Part memory taking,
        Order calldata takerOrder,
        Order[] calldata makerOrders,
        uint256[] calldata makerFillAmounts,
        uint256[] calldata makerFeeAmounts
    ) private {
        _checkConsent(taking.orderHash, takerOrder);
        _move(taking.orderHash, takerOrder, taking.gives);
        taking.takes = _takesOf(takerOrder, taking.gives);
        _checkFee(takerOrder, taking.gives, taking.takes, taking.fee);
        _pull(takerOrder, taking);
        uint256 before = _heldOf(takerOrder, 1 - takerOrder.side);
        uint256 fees = _serveMakers(conditionId, takerOrder, makerOrders, makerFillAmounts, makerFeeAmounts);
        if (takerOrder.side == BUY) {
            _charge(taking.fee);
            fees += taking.fee;
        }
        if (fees != 0) COLLATERAL.safeTransfer(getFeeReceiver, fees);
        uint256 held = _heldOf(takerOrder, 1 - takerOrder.side);
        if (held < before + taking.takes) revert TooLittleTokensReceived();
        taking.takes = held - before;
        _payTaker(taking, takerOrder);
    }

    function _payTaker(Part memory taking, Order calldata takerOrder) private {
        _give(takerOrder, taking);
        uint256 left = _heldOf(takerOrder, takerOrder.side);
        if (left != 0) {
            if (takerOrder.side == BUY) COLLATERAL.safeTransfer(takerOrder.maker, left);
            else CTF.safeTransferFrom(address(this), takerOrder.maker, takerOrder.tokenId, left, "");
        }
        _emitFilled(takerOrder, taking, address(this));
        if (takerOrder.side == BUY || taking.fee == 0) return;
        _charge(taking.fee);
        COLLATERAL.safeTransfer(getFeeReceiver, taking.fee);
    }

    /// @dev Takes from all makers, mints or merges once, gives to all makers. Returns the fees that are here now.
    function _serveMakers(
        bytes32 conditionId,
        Order calldata takerOrder,
        Order[] calldata makerOrders,
        uint256[] calldata makerFillAmounts,
        uint256[] calldata makerFeeAmounts
    ) private returns (uint256 fees) {
        Part[] memory making = new Part[](makerOrders.length);
        uint256 pairs = 0;
        for (uint256 i = 0; i < makerOrders.length; ++i) {
            _checkPrices(takerOrder, makerOrders[i]);
            making[i] = _start(makerOrders[i], makerFillAmounts[i], makerFeeAmounts[i]);
            _pull(makerOrders[i], making[i]);
            if (makerOrders[i].side != takerOrder.side) continue;
            pairs += takerOrder.side == BUY ? making[i].takes : making[i].gives;
        }
        if (pairs != 0) _pair(conditionId, takerOrder.side, pairs);
        for (uint256 i = 0; i < makerOrders.length; ++i) {
            _give(makerOrders[i], making[i]);
            _charge(making[i].fee);
            fees += making[i].fee;
            _emitFilled(makerOrders[i], making[i], takerOrder.maker);
        }
    }

    /// @dev Mints pairs for buyers, merges those of sellers.
    function _pair(bytes32 conditionId, uint8 side, uint256 pairs) private {
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        if (side == BUY) FACTORY.splitPosition(address(COLLATERAL), bytes32(0), conditionId, partition, pairs);
        else FACTORY.mergePositions(address(COLLATERAL), bytes32(0), conditionId, partition, pairs);
    }

    /// @dev Take in what an order gives, and a buyer's fee with it.
    function _pull(Order calldata order, Part memory part) private {
        if (order.side == BUY) COLLATERAL.safeTransferFrom(order.maker, address(this), part.gives + part.fee);
        else CTF.safeTransferFrom(order.maker, address(this), order.tokenId, part.gives, "");
    }

    /// @dev Pay out what an order receives, less a seller's fee.
    function _give(Order calldata order, Part memory part) private {
        if (order.side == BUY) {
            CTF.safeTransferFrom(address(this), order.maker, order.tokenId, part.takes, "");
            return;
        }
        if (part.fee > part.takes) revert FeeExceedsProceeds();
        COLLATERAL.safeTransfer(order.maker, part.takes - part.fee);
    }

    // ---------------------------------------------------------------- one order

    /// @dev Checks a maker's order for this fill and moves it.
    function _start(Order calldata order, uint256 gives, uint256 fee) private returns (Part memory part) {
        part = Part(hashOrder(order), gives, 0, fee);
        _checkConsent(part.orderHash, order);
        _move(part.orderHash, order, gives);
        part.takes = _takesOf(order, gives);
        _checkFee(order, gives, part.takes, fee);
    }

    function _move(bytes32 orderHash, Order calldata order, uint256 gives) private {
        OrderStatus storage status = _statuses[orderHash];
        if (status.filled) revert OrderAlreadyFilled();
        uint256 remaining = status.remaining == 0 ? order.makerAmount : status.remaining;
        if (gives > remaining) revert MakingGtRemaining();
        // forge-lint: disable-next-line(unsafe-typecast)
        status.remaining = uint248(remaining - gives);
        status.filled = remaining == gives;
    }

    function _charge(uint256 fee) private {
        if (fee != 0) emit FeeCharged(getFeeReceiver, fee);
    }

    function _emitFilled(Order calldata order, Part memory part, address taker) private {
        emit OrderFilled(
            part.orderHash,
            order.maker,
            taker,
            order.side,
            order.tokenId,
            part.gives,
            part.takes,
            part.fee,
            order.builder,
            order.metadata
        );
    }

    // ---------------------------------------------------------------- checks

    function _checkConsent(bytes32 orderHash, Order calldata order) private view {
        if (order.makerAmount == 0) revert ZeroMakerAmount();
        bool allowed = order.signature.length == 0 ? isPreapproved[orderHash] : _isSigned(orderHash, order);
        if (!allowed) revert InvalidSignature();
        if (isUserPaused(order.maker)) revert UserIsPaused();
    }

    function _checkFee(Order calldata order, uint256 gives, uint256 takes, uint256 fee) private view {
        if (fee == 0 || getMaxFeeRate == 0) return;
        if (fee > ((order.side == BUY ? gives : takes) * getMaxFeeRate) / BPS) revert FeeExceedsMaxRate();
    }

    /// @dev All tokens are the condition's. Returns how many makers are on the taker's side.
    function _checkTokens(
        bytes32 conditionId,
        Order calldata takerOrder,
        Order[] calldata makerOrders
    ) private view returns (uint256 pairs) {
        uint256 yesId = _tokenIdOf(conditionId, 1);
        uint256 noId = _tokenIdOf(conditionId, 2);
        if (takerOrder.tokenId != yesId && takerOrder.tokenId != noId) revert MismatchedTokenIds();
        for (uint256 i = 0; i < makerOrders.length; ++i) {
            uint256 tokenId = makerOrders[i].tokenId;
            if (tokenId != yesId && tokenId != noId) revert MismatchedTokenIds();
            if (makerOrders[i].side == takerOrder.side) ++pairs;
        }
    }

    function _heldOf(Order calldata order, uint8 side) private view returns (uint256) {
        return side == BUY ? COLLATERAL.balanceOf(address(this)) : CTF.balanceOf(address(this), order.tokenId);
    }

    function _isSigned(bytes32 orderHash, Order calldata order) private view returns (bool) {
        if (order.signer != order.maker) return false;
        if (order.signatureType == EOA) {
            (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(orderHash, order.signature);
            return failure == ECDSA.RecoverError.NoError && signer == order.signer;
        }
        return
            order.signatureType == ERC1271 &&
            SignatureChecker.isValidERC1271SignatureNowCalldata(order.maker, orderHash, order.signature);
    }

    function _tokenIdOf(bytes32 conditionId, uint256 indexSet) private view returns (uint256) {
        return CTF.getPositionId(CTF_COLLATERAL, CTF.getCollectionId(bytes32(0), conditionId, indexSet));
    }

    /// @dev Across: the same token, and the buyer pays at least what the seller asks. On one side: the other token,
    /// and two buyers pay at least 1 together, two sellers ask at most 1 together. Multiplied out, so without rounding.
    function _checkPrices(Order calldata takerOrder, Order calldata makerOrder) private pure {
        bool across = takerOrder.side != makerOrder.side;
        if (across != (takerOrder.tokenId == makerOrder.tokenId)) revert MismatchedTokenIds();
        uint256 giving = takerOrder.makerAmount * makerOrder.makerAmount;
        uint256 taking = takerOrder.takerAmount * makerOrder.takerAmount;
        if (across) {
            if (giving < taking) revert NotCrossing();
            return;
        }
        uint256 mixed = takerOrder.takerAmount * makerOrder.makerAmount +
            makerOrder.takerAmount * takerOrder.makerAmount;
        if (takerOrder.side == BUY ? mixed < taking : mixed > giving) revert NotCrossing();
    }

    /// @dev Return what an order takes for a part of what it gives, rounded down.
    function _takesOf(Order calldata order, uint256 gives) private pure returns (uint256) {
        return (gives * order.takerAmount) / order.makerAmount;
    }
}
