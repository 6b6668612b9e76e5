// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {IConditionalTokens} from "../src/interfaces/IConditionalTokens.sol";
import {IVenueExchange} from "../src/interfaces/IVenueExchange.sol";

/// @title TwinExchange
/// @notice The venue's exchange a second time, for tests: written from what is known of the real one alone, in another
/// way than VenueExchange, to settle every match as that does. Where VenueExchange moves money and looks what it holds,
/// this one reckons every flow first and then makes the transfers; a direct match never touches its balance.
/// @dev It has no traps. Statuses are one word: the rest of an order, and a mark once it is filled.
contract TwinExchange is IVenueExchange, ERC1155Holder {
    /// @notice Arguments of the deployment, in the order of VenueExchange.
    struct Deployment {
        IERC20 collateral;
        IConditionalTokens conditionalTokens;
        address ctfCollateral;
        IConditionalTokens outcomeTokenFactory;
        address owner;
        address operator;
        address feeReceiver;
    }

    /// @dev One order in a match: what leaves its maker and what comes, fees aside.
    struct Leg {
        Order order;
        bytes32 id;
        uint256 out;
        uint256 into;
        uint256 fee;
    }

    /// @dev Amounts that a match with pairs brings the taker and returns of what the taker gave.
    struct Outcome {
        uint256 pairs;
        uint256 received;
        uint256 left;
    }

    error OnlyOwner();
    error RateTooHigh();
    error Unpaid();

    uint256 private constant WHOLE = 10_000;
    uint256 private constant FILLED = 1 << 255;
    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant ORDER_TYPE =
        keccak256(
            "Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,"
            "uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)"
        );

    Deployment private _made;
    uint256 private _rate = 1_000;
    mapping(bytes32 orderId => uint256 word) private _words;
    mapping(bytes32 orderId => bool approved) private _approved;
    mapping(address account => bool operates) private _operates;
    mapping(address user => uint256 blockNumber) private _pauses;

    modifier operating() {
        if (!_operates[msg.sender]) revert NotOperator();
        _;
    }

    constructor(Deployment memory made) {
        _made = made;
        _operates[made.operator] = true;
        made.collateral.approve(address(made.outcomeTokenFactory), type(uint256).max);
        if (address(made.outcomeTokenFactory) != address(made.conditionalTokens)) {
            made.conditionalTokens.setApprovalForAll(address(made.outcomeTokenFactory), true);
        }
    }

    // ---------------------------------------------------------------- settings and users

    /// @notice Lets an account match.
    function addOperator(address operator) external {
        if (msg.sender != _made.owner) revert OnlyOwner();
        _operates[operator] = true;
    }

    /// @notice Sets the highest fee, in bps of the USDC traded; 0 for no limit.
    function setMaxFeeRate(uint256 rate) external {
        if (msg.sender != _made.owner) revert OnlyOwner();
        if (rate >= WHOLE) revert RateTooHigh();
        _rate = rate;
    }

    /// @inheritdoc IVenueExchange
    function preapproveOrder(Order calldata order) external operating {
        bytes32 id = hashOrder(order);
        if (!_signed(id, order)) revert InvalidSignature();
        _approved[id] = true;
        emit OrderPreapproved(id);
    }

    /// @inheritdoc IVenueExchange
    function invalidatePreapprovedOrder(bytes32 orderHash) external operating {
        delete _approved[orderHash];
        emit OrderPreapprovalInvalidated(orderHash);
    }

    /// @inheritdoc IVenueExchange
    function pauseUser() external {
        if (_pauses[msg.sender] != 0) revert UserAlreadyPaused();
        _pauses[msg.sender] = block.number + userPauseBlockInterval();
        emit UserPaused(msg.sender, _pauses[msg.sender]);
    }

    /// @inheritdoc IVenueExchange
    function unpauseUser() external {
        delete _pauses[msg.sender];
        emit UserUnpaused(msg.sender);
    }

    // ---------------------------------------------------------------- matching

    /// @inheritdoc IVenueExchange
    function matchOrders(
        bytes32 conditionId,
        Order calldata takerOrder,
        Order[] calldata makerOrders,
        uint256 takerFillAmount,
        uint256[] calldata makerFillAmounts,
        uint256 takerFeeAmount,
        uint256[] calldata makerFeeAmounts
    ) external operating {
        uint256 count = makerOrders.length;
        if (count == 0) revert NoMakerOrders();
        if (makerFillAmounts.length != count || makerFeeAmounts.length != count) revert MismatchedArrayLengths();
        Leg memory taker = Leg(takerOrder, hashOrder(takerOrder), takerFillAmount, 0, takerFeeAmount);
        Leg[] memory makers = new Leg[](count);
        bool paired = false;
        _checkToken(conditionId, takerOrder.tokenId);
        for (uint256 i = 0; i < count; ++i) {
            _checkToken(conditionId, makerOrders[i].tokenId);
            makers[i] = Leg(makerOrders[i], hashOrder(makerOrders[i]), makerFillAmounts[i], 0, makerFeeAmounts[i]);
            paired = paired || makerOrders[i].side == takerOrder.side;
            _checkCrossing(taker.order, makers[i].order);
            _consume(makers[i]);
        }
        if (paired) _settlePaired(conditionId, taker, makers);
        else _settleAcross(taker, makers);
        for (uint256 i = 0; i < count; ++i) _report(makers[i], taker.order.maker);
        _report(taker, address(this));
        emit OrdersMatched(
            taker.id,
            taker.order.maker,
            taker.order.side,
            taker.order.tokenId,
            taker.out,
            taker.into
        );
    }

    // ---------------------------------------------------------------- reading

    /// @inheritdoc IVenueExchange
    function getOrderStatus(bytes32 orderHash) external view returns (bool filled, uint248 remaining) {
        uint256 word = _words[orderHash];
        // forge-lint: disable-next-line(unsafe-typecast)
        return (word == FILLED, word == FILLED ? 0 : uint248(word));
    }

    /// @inheritdoc IVenueExchange
    function getCollateral() external view returns (address collateral) {
        return address(_made.collateral);
    }

    /// @inheritdoc IVenueExchange
    function getCtf() external view returns (address conditionalTokens) {
        return address(_made.conditionalTokens);
    }

    /// @inheritdoc IVenueExchange
    function getCtfCollateral() external view returns (address ctfCollateral) {
        return _made.ctfCollateral;
    }

    /// @inheritdoc IVenueExchange
    function getOutcomeTokenFactory() external view returns (address outcomeTokenFactory) {
        return address(_made.outcomeTokenFactory);
    }

    /// @inheritdoc IVenueExchange
    function getMaxFeeRate() external view returns (uint256 feeRateBps) {
        return _rate;
    }

    /// @inheritdoc IVenueExchange
    function getFeeReceiver() external view returns (address receiver) {
        return _made.feeReceiver;
    }

    /// @inheritdoc IVenueExchange
    function isOperator(address account) external view returns (bool allowed) {
        return _operates[account];
    }

    /// @inheritdoc IVenueExchange
    function userPausedBlockAt(address user) external view returns (uint256 blockNumber) {
        return _pauses[user];
    }

    /// @inheritdoc IVenueExchange
    function isUserPaused(address user) public view returns (bool paused) {
        return _pauses[user] != 0 && _pauses[user] <= block.number;
    }

    /// @inheritdoc IVenueExchange
    function hashOrder(Order memory order) public view returns (bytes32 orderHash) {
        bytes memory head = abi.encode(ORDER_TYPE, order.salt, order.maker, order.signer, order.tokenId);
        bytes memory middle = abi.encode(order.makerAmount, order.takerAmount, order.side, order.signatureType);
        bytes memory tail = abi.encode(order.timestamp, order.metadata, order.builder);
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPE, keccak256("Venue Exchange"), keccak256("2"), block.chainid, address(this))
        );
        return keccak256(abi.encodePacked(hex"1901", domain, keccak256(bytes.concat(head, middle, tail))));
    }

    /// @inheritdoc IVenueExchange
    function userPauseBlockInterval() public pure returns (uint256 blocks) {
        return 100;
    }

    // ---------------------------------------------------------------- settling

    /// @dev No maker on the taker's side. The taker gives what the makers take, and every unit goes from the one who
    /// has it to the one who gets it: the fee of a selling taker is what its buyers pay first.
    function _settleAcross(Leg memory taker, Leg[] memory makers) private {
        uint256 limit = taker.out;
        uint256 brought = 0;
        taker.out = 0;
        for (uint256 i = 0; i < makers.length; ++i) {
            taker.out += makers[i].into;
            brought += makers[i].out;
        }
        if (taker.out > limit) revert ComplementaryFillExceedsTakerFill();
        _consume(taker);
        if (brought < taker.into) revert TooLittleTokensReceived();
        taker.into = brought;
        uint256 owed = taker.fee;
        for (uint256 i = 0; i < makers.length; ++i) {
            (Leg memory buyer, Leg memory seller) = taker.order.side == 0 ? (taker, makers[i]) : (makers[i], taker);
            uint256 usdcUnits = taker.order.side == 0 ? makers[i].into : makers[i].out;
            uint256 tokenUnits = taker.order.side == 0 ? makers[i].out : makers[i].into;
            _moveTokens(seller.order.maker, buyer.order.maker, taker.order.tokenId, tokenUnits);
            uint256 fee = makers[i].fee;
            if (taker.order.side == 1) fee = owed < usdcUnits ? owed : usdcUnits;
            if (fee > usdcUnits) revert FeeExceedsProceeds();
            if (taker.order.side == 1) owed -= fee;
            _pay(buyer.order.maker, seller.order.maker, usdcUnits - fee);
            _pay(buyer.order.maker, _made.feeReceiver, taker.order.side == 1 ? fee + makers[i].fee : fee);
        }
        if (taker.order.side == 0) _pay(taker.order.maker, _made.feeReceiver, owed);
        else if (owed != 0) revert FeeExceedsProceeds();
    }

    /// @dev With a maker on the taker's side: all give first, pairs are minted or merged, all get theirs. The order of
    /// the taker moves by the whole fill.
    function _settlePaired(bytes32 conditionId, Leg memory taker, Leg[] memory makers) private {
        _consume(taker);
        uint256 stray = taker.order.side == 0
            ? _made.collateral.balanceOf(address(this))
            : _made.conditionalTokens.balanceOf(address(this), taker.order.tokenId);
        Outcome memory outcome = _reckon(taker, makers, stray);
        if (outcome.received < taker.into) revert TooLittleTokensReceived();
        taker.into = outcome.received;
        _take(taker);
        for (uint256 i = 0; i < makers.length; ++i) _take(makers[i]);
        _pair(conditionId, taker.order.side, outcome.pairs);
        for (uint256 i = 0; i < makers.length; ++i) _hand(makers[i]);
        _hand(taker);
        if (taker.order.side == 0) _pay(address(this), taker.order.maker, outcome.left);
        else _moveTokens(address(this), taker.order.maker, taker.order.tokenId, outcome.left);
    }

    /// @dev In tokens and USDC, fees aside: they enter and leave beside this.
    function _reckon(
        Leg memory taker,
        Leg[] memory makers,
        uint256 stray
    ) private pure returns (Outcome memory outcome) {
        uint256 spent = 0;
        uint256 credit = 0;
        for (uint256 i = 0; i < makers.length; ++i) {
            Leg memory maker = makers[i];
            if (maker.order.side != taker.order.side) {
                outcome.received += maker.out;
                spent += maker.into;
            } else if (maker.order.side == 0) {
                outcome.pairs += maker.into;
                outcome.received += maker.into;
                spent += maker.into;
                credit += maker.out;
            } else {
                outcome.pairs += maker.out;
                outcome.received += maker.out;
                spent += maker.out;
                credit += maker.into;
            }
        }
        // Of a mint the other buyers' money helps the taker pay; of a merge the other sellers' price is taken off.
        if (taker.order.side == 0) {
            outcome.left = stray + taker.out + credit - spent;
        } else {
            if (outcome.received < credit) revert TooLittleTokensReceived();
            outcome.received -= credit;
            outcome.left = stray + taker.out - spent;
        }
    }

    function _pair(bytes32 conditionId, uint8 side, uint256 pairs) private {
        if (pairs == 0) return;
        uint256[] memory both = new uint256[](2);
        both[0] = 1;
        both[1] = 2;
        address usdc = address(_made.collateral);
        if (side == 0) _made.outcomeTokenFactory.splitPosition(usdc, 0, conditionId, both, pairs);
        else _made.outcomeTokenFactory.mergePositions(usdc, 0, conditionId, both, pairs);
    }

    /// @dev Take in what a leg gives; a buyer's fee goes to its receiver at once.
    function _take(Leg memory leg) private {
        if (leg.order.side == 1) return _moveTokens(leg.order.maker, address(this), leg.order.tokenId, leg.out);
        _pay(leg.order.maker, address(this), leg.out);
        _pay(leg.order.maker, _made.feeReceiver, leg.fee);
    }

    /// @dev Pay out what a leg gets; a seller's fee is kept from it.
    function _hand(Leg memory leg) private {
        if (leg.order.side == 0) return _moveTokens(address(this), leg.order.maker, leg.order.tokenId, leg.into);
        if (leg.fee > leg.into) revert FeeExceedsProceeds();
        _pay(address(this), leg.order.maker, leg.into - leg.fee);
        _pay(address(this), _made.feeReceiver, leg.fee);
    }

    function _pay(address from, address to, uint256 usdcUnits) private {
        if (usdcUnits == 0) return;
        bool paid = from == address(this)
            ? _made.collateral.transfer(to, usdcUnits)
            : _made.collateral.transferFrom(from, to, usdcUnits);
        if (!paid) revert Unpaid();
    }

    function _moveTokens(
        address from,
        address to,
        uint256 tokenId,
        uint256 tokenUnits
    ) private {
        if (tokenUnits != 0) _made.conditionalTokens.safeTransferFrom(from, to, tokenId, tokenUnits, "");
    }

    // ---------------------------------------------------------------- one order

    /// @dev Everything an order is checked for, its floor and its word in storage.
    function _consume(Leg memory leg) private {
        Order memory order = leg.order;
        if (order.makerAmount == 0) revert ZeroMakerAmount();
        if (order.signature.length == 0 ? !_approved[leg.id] : !_signed(leg.id, order)) revert InvalidSignature();
        if (isUserPaused(order.maker)) revert UserIsPaused();
        uint256 word = _words[leg.id];
        if (word == FILLED) revert OrderAlreadyFilled();
        uint256 rest = word == 0 ? order.makerAmount : word;
        if (rest < leg.out) revert MakingGtRemaining();
        _words[leg.id] = rest == leg.out ? FILLED : rest - leg.out;
        leg.into = (leg.out * order.takerAmount) / order.makerAmount;
        uint256 usdcUnits = order.side == 0 ? leg.out : leg.into;
        if (_rate != 0 && leg.fee > (usdcUnits * _rate) / WHOLE) revert FeeExceedsMaxRate();
    }

    function _report(Leg memory leg, address counterpart) private {
        Order memory order = leg.order;
        if (leg.fee != 0) emit FeeCharged(_made.feeReceiver, leg.fee);
        emit OrderFilled(
            leg.id,
            order.maker,
            counterpart,
            order.side,
            order.tokenId,
            leg.out,
            leg.into,
            leg.fee,
            order.builder,
            order.metadata
        );
    }

    function _checkToken(bytes32 conditionId, uint256 tokenId) private view {
        IConditionalTokens tokens = _made.conditionalTokens;
        for (uint256 indexSet = 1; indexSet < 3; ++indexSet) {
            bytes32 collection = tokens.getCollectionId(0, conditionId, indexSet);
            if (tokens.getPositionId(_made.ctfCollateral, collection) == tokenId) return;
        }
        revert MismatchedTokenIds();
    }

    /// @dev By hand: a signature of 65 bytes from a maker with a key, a word of ERC-1271 from a maker with code.
    function _signed(bytes32 id, Order memory order) private view returns (bool) {
        bytes memory signature = order.signature;
        if (order.maker != order.signer) return false;
        if (order.signatureType == 0) {
            if (signature.length != 65) return false;
            bytes32 r;
            bytes32 s;
            uint8 v = uint8(signature[64]);
            assembly ("memory-safe") {
                r := mload(add(signature, 0x20))
                s := mload(add(signature, 0x40))
            }
            address found = ecrecover(id, v, r, s);
            return found != address(0) && found == order.maker;
        }
        if (order.signatureType != 3 || order.maker.code.length == 0) return false;
        (bool done, bytes memory answer) = order.maker.staticcall(
            abi.encodeWithSignature("isValidSignature(bytes32,bytes)", id, signature)
        );
        return done && answer.length >= 32 && bytes4(answer) == 0x1626ba7e;
    }

    /// @dev As a price in each order's own fraction: buyers pay at least what sellers ask, two buyers at least 1, two
    /// sellers at most 1.
    function _checkCrossing(Order memory a, Order memory b) private pure {
        if ((a.side == b.side) == (a.tokenId == b.tokenId)) revert MismatchedTokenIds();
        (uint256 usdcOfA, uint256 tokensOfA) = a.side == 0
            ? (a.makerAmount, a.takerAmount)
            : (a.takerAmount, a.makerAmount);
        (uint256 usdcOfB, uint256 tokensOfB) = b.side == 0
            ? (b.makerAmount, b.takerAmount)
            : (b.takerAmount, b.makerAmount);
        uint256 ofA = usdcOfA * tokensOfB;
        uint256 ofB = usdcOfB * tokensOfA;
        bool crosses;
        if (a.side != b.side) crosses = a.side == 0 ? ofA >= ofB : ofB >= ofA;
        else crosses = a.side == 0 ? ofA + ofB >= tokensOfA * tokensOfB : ofA + ofB <= tokensOfA * tokensOfB;
        if (!crosses) revert NotCrossing();
    }
}
