// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IConditionalTokens} from "./interfaces/IConditionalTokens.sol";
import {ILiquidityPool} from "./interfaces/ILiquidityPool.sol";
import {IPositionAccount} from "./interfaces/IPositionAccount.sol";
import {IVault} from "./interfaces/IVault.sol";
import {IVenueExchange} from "./interfaces/IVenueExchange.sol";
import {AttestationDigest} from "./libraries/AttestationDigest.sol";
import {FeeMath} from "./libraries/FeeMath.sol";
import {OpeningSplit} from "./libraries/OpeningSplit.sol";
import {OrderStatus} from "./libraries/OrderStatus.sol";
import {PositionMath} from "./libraries/PositionMath.sol";
import {QuoteDigest} from "./libraries/QuoteDigest.sol";
import {UnitMath} from "./libraries/UnitMath.sol";
import {Waterfall} from "./libraries/Waterfall.sol";
import {LiquidityPool} from "./LiquidityPool.sol";
import {OrderRules} from "./OrderRules.sol";
import {OutcomeRegistry} from "./OutcomeRegistry.sol";
import {PositionAccount} from "./PositionAccount.sol";
import {StoredPosition} from "./StoredPosition.sol";
import {
    BPS,
    DUST_TOKEN_UNITS,
    MAX_LEVERAGE_BPS,
    MAX_LIFETIME_FEE_APR_BPS,
    MAX_LIQUIDATION_FEE_BPS,
    MAX_NOTIONAL_USDC_UNITS,
    MAX_ORIGINATION_FEE_BPS,
    MAX_VENUE_FEE_BPS,
    MIN_CLOSE_DIVISOR,
    MIN_COLLATERAL_USDC_UNITS,
    MIN_LEVERAGE_BPS,
    MIN_ORDER_TOKEN_UNITS,
    OPEN_WINDOW,
    PIPS,
    QUOTE_WINDOW,
    WRITE_OFF_DELAY
} from "./VaultConstants.sol";

/// @title Vault
/// @notice The life of leveraged positions. See IVault for what each call does and assumes.
/// @dev A verb reads in this order: guards, accrue, convert, state, event, transfer. Where it ends a standing order,
/// gives the account its code or redeems, that is a step of its own before the division, since only what the account
/// holds can be divided; a permit, which can set no allowance but the caller's, comes before all. addMargin learns from
/// the division whether anything was owed, and a revert undoes it. The pool books, and a deferred payment is told of,
/// after the transfer. Two verbs leave the order, under the lock that every verb holds which touches a position.
/// authorizeOrder emits OrderAuthorized before _borrow writes loan and exit buffer: nothing is called in between, so
/// nobody can see the one without the other. claim pays, sends tokens, and only then empties tokenUnits and emits,
/// since only the transfer tells whether the owner takes them: bad debt is lowered before anything leaves, the amounts
/// are the account's balances, and no verb reads tokenUnits of a position that has ended; a receiver who looks
/// meanwhile sees the old figure in positionOf and healthOf alone.
contract Vault is OutcomeRegistry {
    using SafeERC20 for IERC20;
    using UnitMath for uint256;
    using PositionMath for StoredPosition;

    /// @notice Everything a deployment fixes or starts with.
    struct Deployment {
        address owner;
        address guardian;
        address treasury;
        address quoteSigner;
        address[] priceSigners;
        address[] keepers;
        address[] oracles;
        bytes32[] builders;
        address usdc;
        address conditionalTokens;
        address ctfCollateral;
        address redeemer;
        address exchange;
        ILiquidityPool.Parameters poolParameters;
    }

    /// @inheritdoc IVault
    address public immutable usdc;
    /// @inheritdoc IVault
    address public immutable redeemer;
    /// @inheritdoc IVault
    address public immutable exchange;
    /// @inheritdoc IVault
    address public immutable pool;
    /// @inheritdoc IVault
    address public immutable accountImplementation;

    mapping(bytes32 positionKey => StoredPosition position) private _positions;
    mapping(bytes32 positionKey => bytes32 orderHash) private _orderHashes;

    constructor(Deployment memory d) Ownable(d.owner) OutcomeRegistry(d.conditionalTokens, d.ctfCollateral) {
        if (
            d.usdc == address(0) ||
            d.conditionalTokens == address(0) ||
            d.ctfCollateral == address(0) ||
            d.redeemer == address(0) ||
            d.exchange == address(0)
        ) revert ZeroAddress();
        if (
            d.redeemer.code.length == 0 ||
            (d.redeemer == d.conditionalTokens && d.ctfCollateral != d.usdc) ||
            IERC20Metadata(d.usdc).decimals() != 6 ||
            IVenueExchange(d.exchange).getCollateral() != d.usdc ||
            IVenueExchange(d.exchange).getCtf() != d.conditionalTokens ||
            IVenueExchange(d.exchange).maxFeeRateBps() > MAX_VENUE_FEE_BPS
        ) revert DeploymentMismatch();
        usdc = d.usdc;
        redeemer = d.redeemer;
        exchange = d.exchange;
        pool = address(new LiquidityPool(IERC20(d.usdc), d.owner, d.treasury, d.poolParameters));
        accountImplementation = address(
            new PositionAccount(d.usdc, d.conditionalTokens, d.ctfCollateral, d.redeemer, d.exchange)
        );
        _setGuardian(d.guardian);
        _setQuoteSigner(d.quoteSigner);
        for (uint256 i = 0; i < d.priceSigners.length; ++i) _setRole(Role.PriceSigner, d.priceSigners[i], true);
        for (uint256 i = 0; i < d.keepers.length; ++i) _setRole(Role.Keeper, d.keepers[i], true);
        for (uint256 i = 0; i < d.oracles.length; ++i) _setRole(Role.Oracle, d.oracles[i], true);
        for (uint256 i = 0; i < d.builders.length; ++i) _setBuilder(d.builders[i], true);
    }

    // ---------------------------------------------------------------- opening

    /// @inheritdoc IVault
    function createPosition(
        CreateRequest calldata request,
        bytes calldata signature
    ) external nonReentrant returns (bytes32 positionKey) {
        return _createPosition(request, signature);
    }

    /// @inheritdoc IVault
    function createPositionWithPermit(
        CreateRequest calldata request,
        bytes calldata signature,
        Permit calldata p
    ) external nonReentrant returns (bytes32 positionKey) {
        try IERC20Permit(usdc).permit(msg.sender, address(this), p.usdcUnits, p.deadline, p.v, p.r, p.s) {} catch {
            // Someone may have sent the permit first; the transfer below decides.
        }
        return _createPosition(request, signature);
    }

    /// @inheritdoc IVault
    function authorizeOrder(
        bytes32 positionKey,
        Purpose purpose,
        IVenueExchange.Order calldata order,
        uint64 validUntil,
        PriceAttestation calldata attestation,
        bytes calldata signature
    ) external onlyKeeper nonReentrant returns (bytes32 orderHash) {
        StoredPosition storage position = _positions[positionKey];
        address account = accountOf(positionKey);
        _endPreviousOrder(positionKey, position, account);
        bool buys = purpose == Purpose.Open;
        if (purpose == Purpose.None || position.state != (buys ? PositionState.Pending : PositionState.Open)) {
            revert WrongState(position.state);
        }
        if (buys && openingPaused) revert OpeningIsPaused();
        OutcomeNames storage outcome = _outcomes[position.outcomeId];
        uint256 allowanceUsdcUnits;
        (orderHash, allowanceUsdcUnits) = OrderRules.check(
            position,
            _roles[Role.PriceSigner],
            _builders,
            OrderRules.Context({
                account: account,
                exchange: exchange,
                usdc: usdc,
                conditionalTokens: conditionalTokens,
                conditionId: outcome.conditionId,
                tokenId: outcome.tokenId,
                purpose: purpose,
                validUntil: validUntil
            }),
            order,
            attestation,
            signature
        );

        _orderHashes[positionKey] = orderHash;
        position.orderMakerAmount = uint56(order.makerAmount);
        position.orderValidUntil = uint32(validUntil);
        position.orderPurpose = purpose;
        emit OrderAuthorized(
            positionKey,
            orderHash,
            purpose,
            order.makerAmount,
            order.takerAmount,
            validUntil,
            attestation.markPips,
            attestation.limitPips
        );

        if (!buys) {
            IPositionAccount(account).allowTokens(true);
            return orderHash;
        }
        if (position.principalUsdcUnits == 0) {
            _borrow(positionKey, position, account, attestation.exitBufferBps);
        }
        IPositionAccount(account).allowUsdc(allowanceUsdcUnits);
    }

    /// @inheritdoc IVault
    function cancelPosition(bytes32 positionKey) external nonReentrant {
        StoredPosition storage position = _ownPosition(positionKey, PositionState.Pending);

        position.cancelRequested = true;
        emit CancelRequested(positionKey, msg.sender);
        if (!_isLive(position) && _isMeasurable(position)) _finishOpening(positionKey, position);
    }

    // ---------------------------------------------------------------- measuring

    /// @inheritdoc IVault
    function finalize(bytes32 positionKey) external nonReentrant {
        StoredPosition storage position = _positions[positionKey];
        if (position.state == PositionState.Open) {
            if (position.orderPurpose == Purpose.None) revert NothingToFinalize();
        } else if (position.state != PositionState.Pending) {
            revert WrongState(position.state);
        }
        if (!_mayFinalize(position)) {
            if (_isLive(position)) revert OrderLive(position.orderValidUntil);
            revert NotFinalizableYet();
        }
        _finalize(positionKey, position);
    }

    /// @inheritdoc IVault
    function finalizeMany(bytes32[] calldata positionKeys) external nonReentrant {
        for (uint256 i = 0; i < positionKeys.length; ++i) {
            StoredPosition storage position = _positions[positionKeys[i]];
            if (_mayFinalize(position) && _isMeasurable(position)) _finalize(positionKeys[i], position);
        }
    }

    // ---------------------------------------------------------------- the owner of a position

    /// @inheritdoc IVault
    function requestClose(bytes32 positionKey, uint256 tokenUnits, uint256 minPricePips) external nonReentrant {
        StoredPosition storage position = _ownPosition(positionKey, PositionState.Open);
        if (minPricePips > PIPS) revert CloseOutOfRange();
        uint256 held = position.tokenUnits;
        if (tokenUnits >= held) {
            tokenUnits = held;
        } else if (tokenUnits != 0) {
            uint256 smallest = (uint256(position.originalTokenUnits) + MIN_CLOSE_DIVISOR - 1) / MIN_CLOSE_DIVISOR;
            smallest = smallest.max(MIN_ORDER_TOKEN_UNITS);
            if (tokenUnits < smallest || held - tokenUnits < MIN_ORDER_TOKEN_UNITS) revert CloseOutOfRange();
        }

        _setCloseRequest(position, tokenUnits, minPricePips);
        emit CloseRequested(positionKey, msg.sender, tokenUnits, minPricePips);
    }

    /// @inheritdoc IVault
    function addMargin(
        bytes32 positionKey,
        uint256 usdcUnits
    ) external nonReentrant returns (uint256 paidUsdcUnits) {
        StoredPosition storage position = _ownPosition(positionKey, PositionState.Open);
        // A loan repaid between the fill of a liquidation and its booking would save the liquidation fee.
        if (position.orderPurpose == Purpose.Liquidate) {
            if (_heldTokenUnits(accountOf(positionKey), position) < position.tokenUnits) revert SaleNotBooked();
        }
        Distribution memory d = _divide(position, usdcUnits, 1, 1, 0, false);
        paidUsdcUnits = usdcUnits - d.userUsdcUnits;
        if (paidUsdcUnits == 0) revert NothingOwed();

        emit MarginAdded(
            positionKey,
            msg.sender,
            d.principalUsdcUnits + d.recoveredUsdcUnits,
            d.lifetimeFeeUsdcUnits
        );
        IERC20(usdc).safeTransferFrom(msg.sender, pool, paidUsdcUnits);
        _book(positionKey, position.outcomeId, d, 0);
    }

    /// @inheritdoc IVault
    function exitByRepaying(bytes32 positionKey, address to) external nonReentrant {
        StoredPosition storage position = _ownPosition(positionKey, PositionState.Open);
        if (to == address(0)) revert ZeroAddress();
        if (_isLive(position)) revert OrderLive(position.orderValidUntil);
        if (position.orderPurpose != Purpose.None) _bookSale(positionKey, position);
        if (position.state != PositionState.Open) return;

        address account = accountOf(positionKey);
        uint256 tokenId = _outcomes[position.outcomeId].tokenId;
        uint256 tokenUnits = IConditionalTokens(conditionalTokens).balanceOf(account, tokenId);
        uint256 owedUsdcUnits = position.principal() + position.lifetimeFees();
        Distribution memory d = _divide(position, owedUsdcUnits, 1, 1, 0, true);
        d.userUsdcUnits = IERC20(usdc).balanceOf(account);
        d.proceedsUsdcUnits += d.userUsdcUnits;
        position.state = PositionState.Closed;
        position.tokenUnits = 0;
        _setCloseRequest(position, 0, 0);

        emit PositionExited(positionKey, msg.sender, to, tokenUnits, d);
        if (owedUsdcUnits != 0) {
            IERC20(usdc).safeTransferFrom(msg.sender, pool, owedUsdcUnits);
            _book(positionKey, position.outcomeId, d, 0);
        }
        _send(positionKey, position.user, account, 0, d.userUsdcUnits);
        IPositionAccount(account).sendTokens(to, tokenId, tokenUnits);
    }

    // ---------------------------------------------------------------- ending

    /// @inheritdoc IVault
    function settle(bytes32 positionKey) external nonReentrant {
        StoredPosition storage position = _positions[positionKey];
        PositionState state = position.state;
        if (state != PositionState.Pending && state != PositionState.Open) revert WrongState(state);
        OutcomeNames memory outcome = _outcomes[position.outcomeId];
        if (IConditionalTokens(conditionalTokens).payoutDenominator(outcome.conditionId) == 0) revert NotResolved();
        if (state == PositionState.Pending || position.orderPurpose != Purpose.None) {
            _finalize(positionKey, position);
        }
        if (position.state != PositionState.Open) return;

        address account = accountOf(positionKey);
        uint256 tokenUnits = position.tokenUnits;
        uint8 indexSet = _outcomeEntries[outcome.conditionId][outcome.tokenId].indexSet;
        IPositionAccount(account).redeem(outcome.conditionId, indexSet);
        Distribution memory d = _divide(position, IERC20(usdc).balanceOf(account), 1, 1, 0, true);
        position.state = PositionState.Settled;
        position.tokenUnits = 0;
        _setCloseRequest(position, 0, 0);

        emit PositionSettled(positionKey, position.user, tokenUnits, d);
        _pay(positionKey, position, account, d);
    }

    /// @inheritdoc IVault
    function claim(bytes32 positionKey) external nonReentrant {
        StoredPosition storage position = _positions[positionKey];
        if (position.state <= PositionState.Open) revert WrongState(position.state);
        address account = accountOf(positionKey);
        address user = position.user;
        uint256 tokenId = _outcomes[position.outcomeId].tokenId;
        uint256 cash = IERC20(usdc).balanceOf(account);
        uint256 tokenUnits = IConditionalTokens(conditionalTokens).balanceOf(account, tokenId);
        uint256 badDebt = position.badDebtUsdcUnits;
        bool hands = tokenUnits != 0 && msg.sender == user && cash >= badDebt;
        if (cash == 0 && !hands) revert NothingToClaim();

        Distribution memory d;
        d.recoveredUsdcUnits = cash.min(badDebt);
        d.userUsdcUnits = cash - d.recoveredUsdcUnits;
        position.badDebtUsdcUnits = uint48(badDebt - d.recoveredUsdcUnits);

        _pay(positionKey, position, account, d);
        hands = hands && IPositionAccount(account).trySendTokens(user, tokenId, tokenUnits);
        if (hands) position.tokenUnits = 0;
        emit Claimed(positionKey, user, d.userUsdcUnits, d.recoveredUsdcUnits, hands ? tokenUnits : 0);
    }

    /// @inheritdoc IVault
    function writeOff(bytes32 positionKey) external onlyOwner nonReentrant {
        StoredPosition storage position = _positions[positionKey];
        if (position.state != PositionState.Open) revert WrongState(position.state);
        if (position.orderPurpose != Purpose.None) revert OrderLive(position.orderValidUntil);
        uint256 notBefore = position.since + WRITE_OFF_DELAY;
        if (block.timestamp < notBefore) revert TooEarly(notBefore);
        uint256 principal = position.principalUsdcUnits;
        if (principal == 0) revert NothingOwed();

        position.pendingFeeUsdcUnits = position.lifetimeFees().toUsdc();
        position.since = uint32(block.timestamp);
        position.badDebtUsdcUnits += uint48(principal);
        position.principalUsdcUnits = 0;
        Distribution memory d;
        d.badDebtUsdcUnits = principal;

        emit WrittenOff(positionKey, principal);
        _book(positionKey, position.outcomeId, d, 0);
    }

    // ---------------------------------------------------------------- views

    /// @inheritdoc IVault
    function isLiveOrder(bytes32 positionKey, bytes32 orderHash) external view returns (bool live) {
        return _orderHashes[positionKey] == orderHash && _isLive(_positions[positionKey]);
    }

    /// @inheritdoc IVault
    function positionOf(bytes32 positionKey) external view returns (Position memory position) {
        return _positions[positionKey].toView();
    }

    /// @inheritdoc IVault
    function liveOrderOf(bytes32 positionKey) external view returns (LiveOrder memory order) {
        StoredPosition storage position = _positions[positionKey];
        if (position.orderPurpose == Purpose.None) return order;
        order.orderHash = _orderHashes[positionKey];
        order.makerAmount = position.orderMakerAmount;
        order.validUntil = position.orderValidUntil;
        order.purpose = position.orderPurpose;
    }

    /// @inheritdoc IVault
    function debtOf(
        bytes32 positionKey
    ) external view returns (uint256 principalUsdcUnits, uint256 lifetimeFeeUsdcUnits) {
        StoredPosition storage position = _positions[positionKey];
        return (position.principal(), position.lifetimeFees());
    }

    /// @inheritdoc IVault
    function liquidationPriceOf(bytes32 positionKey) external view returns (uint256 pricePips) {
        return _positions[positionKey].liquidationPrice();
    }

    /// @inheritdoc IVault
    function healthOf(
        bytes32 positionKey,
        uint256 markPips
    ) external view returns (uint256 valueUsdcUnits, uint256 thresholdUsdcUnits, bool liquidatable) {
        StoredPosition storage position = _positions[positionKey];
        valueUsdcUnits = (position.tokenUnits * markPips) / PIPS;
        thresholdUsdcUnits = position.threshold();
        liquidatable = markPips != 0 && markPips <= position.liquidationPrice();
    }

    /// @inheritdoc IVault
    function maxOriginationFeeBps() external pure returns (uint256 feeBps) {
        return MAX_ORIGINATION_FEE_BPS;
    }

    /// @inheritdoc IVault
    function domainSeparator() external view returns (bytes32 separator) {
        return AttestationDigest.domainSeparator(address(this));
    }

    /// @inheritdoc IVault
    function positionKeyOf(address user, bytes16 positionSeed) public view returns (bytes32 positionKey) {
        return keccak256(abi.encode(block.chainid, address(this), user, bytes12(positionSeed)));
    }

    /// @inheritdoc IVault
    function accountOf(bytes32 positionKey) public view returns (address account) {
        return
            Clones.predictDeterministicAddressWithImmutableArgs(
                accountImplementation,
                abi.encode(positionKey),
                positionKey
            );
    }

    // ---------------------------------------------------------------- internal: opening

    function _createPosition(
        CreateRequest calldata r,
        bytes calldata signature
    ) private returns (bytes32 positionKey) {
        if (openingPaused) revert OpeningIsPaused();
        positionKey = positionKeyOf(msg.sender, r.positionSeed);
        StoredPosition storage position = _positions[positionKey];
        if (position.state != PositionState.None) revert SeedUsed(positionKey);
        _checkQuote(r, signature);
        uint32 outcomeId = _outcomeEntries[r.venueMarketId][r.venueTokenId].outcomeId;
        if (outcomeId == 0) revert UnknownOutcome();
        uint256 originationFee = FeeMath.originationFee(r.notionalUsdcUnits, r.originationFeeBps);

        position.user = msg.sender;
        position.state = PositionState.Pending;
        position.outcomeId = outcomeId;
        position.originationFeeBps = r.originationFeeBps;
        position.lifetimeFeeAprBps = r.lifetimeFeeAprBps;
        position.liquidationFeeBps = r.liquidationFeeBps;
        position.collateralUsdcUnits = uint48(r.collateralUsdcUnits);
        position.notionalUsdcUnits = uint48(r.notionalUsdcUnits);
        position.venueFeeUsdcUnits = uint48(r.venueFeeUsdcUnits);
        position.originalTokenUnits = uint56(r.minPositionTokenUnits);
        position.since = uint32(block.timestamp);
        position.maxLiquidationPricePips = uint16(UnitMath.min(r.maxLiquidationPricePips, PIPS));
        position.minFillBps = r.minFillBps;

        address account = accountOf(positionKey);
        emit PositionCreated(positionKey, msg.sender, outcomeId, account, originationFee, r);
        IERC20(usdc).safeTransferFrom(
            msg.sender,
            account,
            r.collateralUsdcUnits + originationFee + r.venueFeeUsdcUnits
        );
    }

    /// @dev Signature, window and ranges of a quote.
    function _checkQuote(CreateRequest calldata r, bytes calldata signature) private view {
        if (r.signatureExpiry < block.timestamp) revert SignatureExpired();
        if (r.signatureExpiry > block.timestamp + QUOTE_WINDOW) revert SignatureTooFarAhead();
        bytes32 digest = QuoteDigest.digest(r, msg.sender, block.chainid, address(this));
        (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(
            MessageHashUtils.toEthSignedMessageHash(digest),
            signature
        );
        if (failure != ECDSA.RecoverError.NoError || signer != quoteSigner) revert InvalidQuoteSignature();
        if (r.leverageBps < MIN_LEVERAGE_BPS || r.leverageBps > MAX_LEVERAGE_BPS) revert LeverageOutOfRange();
        if (
            r.collateralUsdcUnits < MIN_COLLATERAL_USDC_UNITS ||
            r.collateralUsdcUnits > MAX_NOTIONAL_USDC_UNITS ||
            r.notionalUsdcUnits > MAX_NOTIONAL_USDC_UNITS
        ) revert CollateralOutOfRange();
        if (r.notionalUsdcUnits * BPS != r.collateralUsdcUnits * r.leverageBps) revert NotionalMismatch();
        if (
            r.originationFeeBps > MAX_ORIGINATION_FEE_BPS ||
            r.lifetimeFeeAprBps > MAX_LIFETIME_FEE_APR_BPS ||
            r.liquidationFeeBps > MAX_LIQUIDATION_FEE_BPS
        ) revert FeeAboveMaximum();
        if (r.venueFeeUsdcUnits > (r.notionalUsdcUnits * MAX_VENUE_FEE_BPS) / BPS) revert VenueFeeAboveMaximum();
        if (r.minPositionTokenUnits > type(uint56).max || r.minFillBps == 0 || r.minFillBps > BPS) {
            revert UserLimitOutOfRange();
        }
    }

    /// @dev The first opening order: the account comes into being and the pool lends, once.
    function _borrow(
        bytes32 positionKey,
        StoredPosition storage position,
        address account,
        uint16 exitBufferBps
    ) private {
        uint48 lent = position.notionalUsdcUnits - position.collateralUsdcUnits;
        position.principalUsdcUnits = lent;
        position.exitBufferBps = exitBufferBps;
        _deployAccount(positionKey);
        ILiquidityPool(pool).lend(positionKey, position.outcomeId, account, lent);
    }

    /// @dev Ends an opening by what the account holds: tokens open the position, none refunds it.
    function _finishOpening(bytes32 positionKey, StoredPosition storage position) private {
        address account = accountOf(positionKey);
        uint256 tokenUnits;
        if (position.principalUsdcUnits == 0) _deployAccount(positionKey);
        else tokenUnits = _heldTokenUnits(account, position);
        uint256 filled = _endOrder(positionKey, position, account) + position.filledUsdcUnits;
        uint256 cash = IERC20(usdc).balanceOf(account);
        if (tokenUnits < DUST_TOKEN_UNITS) return _refund(positionKey, position, account, cash);
        OpeningSplit.Opening memory opening = OrderRules.openingOf(position);
        opening.cashUsdcUnits = cash;
        opening.filledUsdcUnits = filled;
        OpeningSplit.Split memory s = OpeningSplit.split(opening);
        uint256 spent = s.spentUsdcUnits;
        // Tokens that cost nothing were given to the account before it had code: they open nothing.
        if (spent == 0) return _refund(positionKey, position, account, cash);
        // More is gone than fill and highest fee explain: an older order was filled, and all that was spent is trade.
        if (filled + (filled * MAX_VENUE_FEE_BPS) / BPS < spent) {
            opening.filledUsdcUnits = spent;
            s = OpeningSplit.split(opening);
        }
        _open(positionKey, position, account, s, tokenUnits);
    }

    /// @dev The fill becomes a position; what it did not use goes back to pool and user.
    function _open(
        bytes32 positionKey,
        StoredPosition storage position,
        address account,
        OpeningSplit.Split memory s,
        uint256 tokenUnits
    ) private {
        position.state = PositionState.Open;
        position.principalUsdcUnits = uint48(s.principalUsdcUnits);
        position.since = uint32(block.timestamp);
        uint56 held = tokenUnits.toTokens();
        position.tokenUnits = held;
        position.originalTokenUnits = held;

        address user = position.user;
        emit PositionOpened(
            positionKey,
            user,
            tokenUnits,
            s.tradeUsdcUnits,
            s.spentUsdcUnits,
            s.principalUsdcUnits,
            s.originationFeeUsdcUnits,
            s.userUsdcUnits,
            position.exitBufferBps
        );
        Distribution memory d;
        d.principalUsdcUnits = s.poolUsdcUnits;
        _send(positionKey, user, account, s.poolUsdcUnits + s.originationFeeUsdcUnits, s.userUsdcUnits);
        _book(positionKey, position.outcomeId, d, s.originationFeeUsdcUnits);
    }

    /// @dev Nothing was bought: the pool takes its loan back first, the user everything else.
    function _refund(bytes32 positionKey, StoredPosition storage position, address account, uint256 cash) private {
        uint256 lent = position.principalUsdcUnits;
        Distribution memory d;
        d.principalUsdcUnits = cash.min(lent);
        d.badDebtUsdcUnits = lent - d.principalUsdcUnits;
        d.userUsdcUnits = cash - d.principalUsdcUnits;
        position.state = position.cancelRequested ? PositionState.Cancelled : PositionState.Reverted;
        position.principalUsdcUnits = 0;
        position.badDebtUsdcUnits = uint48(d.badDebtUsdcUnits);

        emit PositionRefunded(positionKey, position.user, position.state, d.userUsdcUnits, d.badDebtUsdcUnits);
        _pay(positionKey, position, account, d);
    }

    /// @dev Once per position: by its first order, or by its end when none ever came.
    function _deployAccount(bytes32 positionKey) private {
        Clones.cloneDeterministicWithImmutableArgs(accountImplementation, abi.encode(positionKey), positionKey);
    }

    /// @dev Outcome tokens in a position's account: what was bought or is not sold yet, and gifts.
    function _heldTokenUnits(address account, StoredPosition storage position) private view returns (uint256) {
        return IConditionalTokens(conditionalTokens).balanceOf(account, _outcomes[position.outcomeId].tokenId);
    }

    // ---------------------------------------------------------------- internal: orders

    /// @dev Whether this caller may end the order of a position, or its opening, now.
    function _mayFinalize(StoredPosition storage position) private view returns (bool) {
        PositionState state = position.state;
        if (state == PositionState.Open) {
            if (position.orderPurpose == Purpose.None) return false;
        } else if (state != PositionState.Pending) {
            return false;
        }
        if (_roles[Role.Keeper][msg.sender]) return true;
        if (_isLive(position)) return false;
        return
            state == PositionState.Open ||
            position.cancelRequested ||
            block.timestamp > position.since + OPEN_WINDOW;
    }

    function _isLive(StoredPosition storage position) private view returns (bool) {
        return position.orderPurpose != Purpose.None && block.timestamp <= position.orderValidUntil;
    }

    /// @dev Whether the caller itself sent the transaction.
    function _isSender() private view returns (bool) {
        // solhint-disable-next-line avoid-tx-origin
        return msg.sender == tx.origin;
    }

    /// @dev Whether an order of the position, if one stands, may be ended by this caller.
    function _isMeasurable(StoredPosition storage position) private view returns (bool) {
        return position.orderPurpose == Purpose.None || _isSender();
    }

    function _finalize(bytes32 positionKey, StoredPosition storage position) private {
        if (position.state == PositionState.Pending) _finishOpening(positionKey, position);
        else _bookSale(positionKey, position);
    }

    /// @dev Before a new order: a fill of the old one is counted while Pending, booked while Open.
    function _endPreviousOrder(bytes32 positionKey, StoredPosition storage position, address account) private {
        if (position.orderPurpose == Purpose.None) return;
        if (position.state == PositionState.Open) {
            _bookSale(positionKey, position);
            return;
        }
        uint256 filled = _endOrder(positionKey, position, account);
        if (filled != 0) position.filledUsdcUnits += uint48(filled);
    }

    /// @dev The only place an order ends: its fill is read once, both allowances are off afterwards.
    function _endOrder(
        bytes32 positionKey,
        StoredPosition storage position,
        address account
    ) private returns (uint256 filledMakerAmount) {
        Purpose purpose = position.orderPurpose;
        if (purpose == Purpose.None) return 0;
        // Inside a match the account has given and has not received yet, and a maker with code runs just then: while
        // an order stands, only the sender of a transaction measures it.
        if (!_isSender()) revert InsideCall();
        bytes32 orderHash = _orderHashes[positionKey];
        filledMakerAmount = OrderStatus.filledOf(exchange, orderHash, position.orderMakerAmount);

        position.orderPurpose = Purpose.None;
        emit OrderEnded(positionKey, orderHash, purpose, filledMakerAmount);
        if (purpose == Purpose.Open) IPositionAccount(account).allowUsdc(0);
        else IPositionAccount(account).allowTokens(false);
    }

    /// @dev Ends a sale order by what the account holds: tokens gone are sold, all USDC here are proceeds.
    function _bookSale(bytes32 positionKey, StoredPosition storage position) private {
        address account = accountOf(positionKey);
        Purpose purpose = position.orderPurpose;
        _endOrder(positionKey, position, account);
        uint256 cash = IERC20(usdc).balanceOf(account);
        uint256 held = position.tokenUnits;
        uint256 left = _heldTokenUnits(account, position).min(held);
        uint256 sold = held - left;
        if (sold == 0 && cash == 0) return;
        bool finished = left < DUST_TOKEN_UNITS;
        bool part = purpose == Purpose.Close && !finished;
        uint256 feeBps = purpose == Purpose.Liquidate ? position.liquidationFeeBps : 0;
        Distribution memory d = _divide(position, cash, part ? sold : 1, part ? held : 1, feeBps, finished);

        position.tokenUnits = uint56(left);
        uint256 asked = position.closeTokenUnits;
        if (asked != 0) {
            if (purpose == Purpose.Close) asked = asked.subtractOrZero(sold);
            _setCloseRequest(position, finished ? 0 : asked.min(left), position.closeMinPricePips);
        }
        if (finished) {
            position.state = purpose == Purpose.Liquidate ? PositionState.Liquidated : PositionState.Closed;
        }
        emit PositionReduced(positionKey, position.user, purpose, position.state, sold, left, d);
        _pay(positionKey, position, account, d);
    }

    /// @dev A request that is served or withdrawn keeps no price either, which leaves its word empty again.
    function _setCloseRequest(StoredPosition storage position, uint256 tokenUnits, uint256 minPricePips) private {
        position.closeTokenUnits = uint56(tokenUnits);
        position.closeMinPricePips = tokenUnits == 0 ? 0 : uint16(minPricePips);
    }

    // ---------------------------------------------------------------- internal: money

    /// @dev Accrues, divides cash by the waterfall and lowers the debt. sold / held is the share of the debt that is
    /// due; when the position is finished, what is left of the principal becomes bad debt and unpaid fees are forgone.
    function _divide(
        StoredPosition storage position,
        uint256 cash,
        uint256 sold,
        uint256 held,
        uint256 liquidationFeeBps,
        bool finished
    ) private returns (Distribution memory d) {
        uint256 fees = position.lifetimeFees();
        uint256 principal = position.principalUsdcUnits;
        uint256 writtenOff = position.badDebtUsdcUnits;
        Waterfall.Division memory w = Waterfall.divide(
            Waterfall.Due({
                cashUsdcUnits: cash,
                principalUsdcUnits: UnitMath.multiplyDivideUp(principal + writtenOff, sold, held),
                lifetimeFeeUsdcUnits: UnitMath.multiplyDivideUp(fees, sold, held),
                liquidationFeeBps: liquidationFeeBps
            })
        );
        d.proceedsUsdcUnits = cash;
        d.principalUsdcUnits = w.principalUsdcUnits.min(principal);
        d.recoveredUsdcUnits = w.principalUsdcUnits - d.principalUsdcUnits;
        d.lifetimeFeeUsdcUnits = w.lifetimeFeeUsdcUnits;
        d.liquidationFeeUsdcUnits = w.liquidationFeeUsdcUnits;
        d.userUsdcUnits = w.userUsdcUnits;

        uint256 left = principal - d.principalUsdcUnits;
        if (finished) {
            d.badDebtUsdcUnits = left;
            position.principalUsdcUnits = 0;
            position.pendingFeeUsdcUnits = 0;
        } else {
            position.principalUsdcUnits = uint48(left);
            position.pendingFeeUsdcUnits = (fees - d.lifetimeFeeUsdcUnits).toUsdc();
        }
        position.badDebtUsdcUnits = uint48(writtenOff - d.recoveredUsdcUnits + d.badDebtUsdcUnits);
        position.since = uint32(block.timestamp);
    }

    /// @dev Pays pool and user from the account what a distribution says.
    function _pay(
        bytes32 positionKey,
        StoredPosition storage position,
        address account,
        Distribution memory d
    ) private {
        uint256 poolUsdcUnits = d.principalUsdcUnits +
            d.lifetimeFeeUsdcUnits +
            d.liquidationFeeUsdcUnits +
            d.recoveredUsdcUnits;
        _send(positionKey, position.user, account, poolUsdcUnits, d.userUsdcUnits);
        if (poolUsdcUnits + d.badDebtUsdcUnits != 0) _book(positionKey, position.outcomeId, d, 0);
    }

    /// @dev A user who cannot receive keeps the money in the account: nobody else waits for him.
    function _send(
        bytes32 positionKey,
        address user,
        address account,
        uint256 poolUsdcUnits,
        uint256 userUsdcUnits
    ) private {
        if (poolUsdcUnits + userUsdcUnits == 0) return;
        if (!IPositionAccount(account).sendUsdc(pool, poolUsdcUnits, user, userUsdcUnits)) {
            emit PaymentDeferred(positionKey, user, userUsdcUnits);
        }
    }

    /// @dev Books in the pool what has arrived there, and what never will.
    function _book(
        bytes32 positionKey,
        uint32 outcomeId,
        Distribution memory d,
        uint256 originationFeeUsdcUnits
    ) private {
        if (d.badDebtUsdcUnits != 0) emit BadDebtBooked(positionKey, d.badDebtUsdcUnits);
        ILiquidityPool(pool).book(
            positionKey,
            outcomeId,
            ILiquidityPool.Booking({
                principalUsdcUnits: d.principalUsdcUnits,
                lifetimeFeeUsdcUnits: d.lifetimeFeeUsdcUnits,
                liquidationFeeUsdcUnits: d.liquidationFeeUsdcUnits,
                originationFeeUsdcUnits: originationFeeUsdcUnits,
                recoveredUsdcUnits: d.recoveredUsdcUnits,
                badDebtUsdcUnits: d.badDebtUsdcUnits
            })
        );
    }

    function _ownPosition(
        bytes32 positionKey,
        PositionState state
    ) private view returns (StoredPosition storage position) {
        position = _positions[positionKey];
        if (msg.sender != position.user) revert NotPositionOwner();
        if (position.state != state) revert WrongState(position.state);
    }
}
