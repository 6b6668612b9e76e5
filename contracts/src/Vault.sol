// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ILiquidityPool} from "./interfaces/ILiquidityPool.sol";
import {IOracleAggregator} from "./interfaces/IOracleAggregator.sol";
import {IPositionAccount} from "./interfaces/IPositionAccount.sol";
import {IPositionManager} from "./interfaces/IPositionManager.sol";
import {IPositionRouter} from "./interfaces/IPositionRouter.sol";
import {IVault} from "./interfaces/IVault.sol";
import {IVenueExchange} from "./interfaces/IVenueExchange.sol";
import {AttestationDigest} from "./libraries/AttestationDigest.sol";
import {FeeMath} from "./libraries/FeeMath.sol";
import {PositionAccounts} from "./libraries/PositionAccounts.sol";
import {PositionMath} from "./libraries/PositionMath.sol";
import {QuoteDigest} from "./libraries/QuoteDigest.sol";
import {UnitMath} from "./libraries/UnitMath.sol";
import {FillRoute} from "./FillRoute.sol";
import {OrderRules} from "./OrderRules.sol";
import {OutcomeRegistry} from "./OutcomeRegistry.sol";
import {PositionContext} from "./PositionContext.sol";
import {Settlement} from "./Settlement.sol";
import {StoredOutcome} from "./StoredOutcome.sol";
import {StoredPosition} from "./StoredPosition.sol";
import {VaultParts} from "./VaultParts.sol";
import {
    BPS,
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
    QUOTE_WINDOW
} from "./VaultConstants.sol";

/// @title Vault
/// @notice The life of leveraged positions. See IVault for what each call does and assumes.
/// @dev The vault decides who may do what and when. Linked libraries run in its storage: OutcomeRules checks an
/// outcome, OrderRules an order of the exchange, FillRoute a grant; Settlement fills, measures and pays. A verb
/// reads in this order: guards, accrue, convert, state, event, transfer. Where it ends an outstanding order, gives the
/// account its code or redeems, that is a step of its own before the distribution, since only what the account holds
/// can be divided; a permit, which can set no allowance but the caller's, comes before all. addMargin knows from its
/// division whether anything was owed. The pool books, and a deferred payment is emitted, after the transfer. Three
/// verbs leave the order, under the lock that every verb holds which touches a position: authorizeOrder and
/// authorizeGrant emit before _borrow writes loan and exit buffer (nothing is called in between, so no caller sees the
/// one without the other), and claim, as it says itself.
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
        uint256 priceThreshold;
        address[] keepers;
        address[] oracles;
        bytes32[] builders;
        address exchange;
        address positionManager;
        address positionRouter;
        address oracleAggregator;
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

    /// @dev Read every fact of the venue from the venue itself.
    constructor(
        Deployment memory d
    ) Ownable(d.owner) OutcomeRegistry(d.exchange, d.positionManager, d.positionRouter, d.oracleAggregator) {
        IVenueExchange venue = IVenueExchange(d.exchange);
        exchange = d.exchange;
        usdc = venue.getCollateral();
        redeemer = venue.getOutcomeTokenFactory();
        _checkCode(usdc);
        _checkCode(redeemer);
        uint256 decimals = IERC20Metadata(usdc).decimals();
        if (decimals != 6) revert CollateralDecimals(decimals);
        if (redeemer == conditionalTokens && ctfCollateral != usdc) revert CollateralNotRedeemed(ctfCollateral, usdc);
        OrderRules.checkFeeRate(venue.getMaxFeeRate());
        _checkManagedContracts();
        (pool, accountImplementation) = VaultParts.deploy(
            VaultParts.Made({
                owner: d.owner,
                treasury: d.treasury,
                usdc: usdc,
                conditionalTokens: conditionalTokens,
                ctfCollateral: ctfCollateral,
                redeemer: redeemer,
                exchange: d.exchange,
                positionManager: d.positionManager,
                positionRouter: d.positionRouter,
                poolParameters: d.poolParameters
            })
        );
        _setGuardian(d.guardian);
        _setQuoteSigner(d.quoteSigner);
        for (uint256 i = 0; i < d.priceSigners.length; ++i) _setRole(Role.PriceSigner, d.priceSigners[i], true);
        _setPriceThreshold(d.priceThreshold);
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
        bytes calldata signatures
    ) external onlyKeeper nonReentrant returns (bytes32 orderHash) {
        StoredPosition storage position = _positions[positionKey];
        StoredOutcome storage outcome = _book.outcomes[position.outcomeId];
        PositionContext memory c = _contextOf(positionKey);
        bool buys = _makeWay(position, outcome, c, purpose);
        uint256 allowanceUsdcUnits;
        (orderHash, allowanceUsdcUnits) = OrderRules.check(
            position,
            _roles[Role.PriceSigner],
            _builders,
            OrderRules.Context({
                account: c.account,
                exchange: exchange,
                usdc: usdc,
                conditionalTokens: conditionalTokens,
                conditionId: outcome.conditionId,
                tokenId: outcome.tokenId,
                purpose: purpose,
                validUntil: validUntil,
                requiredSignatures: requiredSignatures()
            }),
            order,
            attestation,
            signatures
        );

        position.orderHash = orderHash;
        position.orderMakerAmount = uint48(order.makerAmount);
        position.orderValidUntil = uint32(validUntil);
        position.orderPurpose = purpose;
        if (_isAlarmed()) position.orderAlarmEndsAt = uint32(alarmEndsAt());
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
            IPositionAccount(c.account).allowTokens(true);
            return orderHash;
        }
        if (position.principalUsdcUnits == 0) _borrow(position, c, attestation.exitBufferBps);
        IPositionAccount(c.account).allowUsdc(allowanceUsdcUnits);
    }

    /// @inheritdoc IVault
    function authorizeGrant(
        bytes32 positionKey,
        Purpose purpose,
        uint256 mostUnits,
        GrantAttestation calldata attestation,
        bytes calldata signatures
    ) external onlyKeeper nonReentrant {
        StoredPosition storage position = _positions[positionKey];
        StoredOutcome storage outcome = _book.outcomes[position.outcomeId];
        PositionContext memory c = _contextOf(positionKey);
        bool buys = _makeWay(position, outcome, c, purpose);
        FillRoute.begin(
            position,
            outcome,
            _roles[Role.PriceSigner],
            c,
            FillRoute.Consent({
                requiredSignatures: requiredSignatures(),
                purpose: purpose,
                mostUnits: mostUnits
            }),
            attestation,
            signatures
        );
        if (_isAlarmed()) position.orderAlarmEndsAt = uint32(alarmEndsAt());
        if (buys && position.principalUsdcUnits == 0) _borrow(position, c, attestation.exitBufferBps);
    }

    /// @inheritdoc IVault
    function authorizeMany(
        GrantBatch calldata batch,
        uint256[] calldata sizes,
        bytes calldata signatures
    ) external onlyKeeper nonReentrant returns (uint256 grantedCount) {
        if (sizes.length != batch.members.length) revert AttestationMismatch();
        uint32 outcomeId = _book.entries[batch.marketId][batch.tokenId].outcomeId;
        if (outcomeId == 0) revert UnknownOutcome();
        PositionContext memory c = _contextOf(0);
        FillRoute.checkBatch(
            _book.outcomes[outcomeId],
            _roles[Role.PriceSigner],
            c,
            requiredSignatures(),
            batch,
            signatures
        );
        GrantAttestation memory a;
        (a.marketId, a.tokenId, a.purpose, a.markPips) = (batch.marketId, batch.tokenId, batch.purpose, batch.markPips);
        (a.observedAt, a.validFor, a.notAfter) = (batch.observedAt, batch.validFor, batch.notAfter);
        uint256 orderAlarmEndsAt = _isAlarmed() ? alarmEndsAt() : 0;
        for (uint256 i = 0; i < batch.members.length; ++i) {
            (bool isGranted, bytes4 reason) = _grantMember(outcomeId, c, a, batch.members[i], sizes[i]);
            if (!isGranted) {
                emit GrantRefused(c.positionKey, reason);
                continue;
            }
            ++grantedCount;
            if (orderAlarmEndsAt != 0) _positions[c.positionKey].orderAlarmEndsAt = uint32(orderAlarmEndsAt);
        }
        if (grantedCount == 0) revert NothingDone();
    }

    /// @inheritdoc IVault
    function fill(
        bytes32 positionKey,
        uint256 giveUnits,
        uint256 takeUnits,
        bytes calldata data
    ) external nonReentrant returns (uint256 givenUnits, uint256 takenUnits) {
        StoredPosition storage position = _positions[positionKey];
        if (!_isLiveGrant(position)) revert GrantNotLive();
        if (position.orderPurpose == Purpose.Open && openingPaused) revert OpeningIsPaused();
        StoredOutcome storage outcome = _book.outcomes[position.outcomeId];
        PositionContext memory c = _contextOf(positionKey);
        return Settlement.fill(position, outcome, c, giveUnits, takeUnits, data);
    }

    /// @inheritdoc IVault
    function fillMany(GrantFill[] calldata fills) external nonReentrant returns (uint256 filledCount) {
        for (uint256 i = 0; i < fills.length; ++i) {
            GrantFill calldata f = fills[i];
            StoredPosition storage position = _positions[f.positionKey];
            bool isPaused = position.orderPurpose == Purpose.Open && openingPaused;
            if (isPaused || !_isLiveGrant(position)) continue;
            StoredOutcome storage outcome = _book.outcomes[position.outcomeId];
            PositionContext memory c = _contextOf(f.positionKey);
            try Settlement.fill(position, outcome, c, f.giveUnits, f.takeUnits, msg.data[:0]) returns (
                uint256,
                uint256
            ) {
                ++filledCount;
            } catch {
                // Another filler came first, or the price is not reached: the other fills do not wait for it.
            }
        }
        if (filledCount == 0) revert NothingDone();
    }

    /// @inheritdoc IVault
    function endGrant(bytes32 positionKey) external nonReentrant {
        bool mayEnd = _roles[Role.PriceSigner][msg.sender] ||
            _roles[Role.Keeper][msg.sender] ||
            msg.sender == guardian ||
            msg.sender == owner();
        if (!mayEnd) revert NotGrantAuthority();
        StoredPosition storage position = _positions[positionKey];
        if (position.orderPurpose == Purpose.None || !FillRoute.isGrant(position)) revert NoGrant();
        Settlement.endPreviousOrder(position, _book.outcomes[position.outcomeId], _contextOf(positionKey));
    }

    /// @inheritdoc IVault
    function cancelPosition(bytes32 positionKey) external nonReentrant {
        StoredPosition storage position = _ownPosition(positionKey, PositionState.Pending);

        position.cancelRequested = true;
        emit CancelRequested(positionKey, msg.sender);
        if (!_isLive(position) && _isMeasurable(position)) _finalize(positionKey, position);
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

        position.setCloseRequest(tokenUnits, minPricePips);
        emit CloseRequested(positionKey, msg.sender, tokenUnits, minPricePips);
    }

    /// @inheritdoc IVault
    function addMargin(
        bytes32 positionKey,
        uint256 usdcUnits
    ) external nonReentrant returns (uint256 paidUsdcUnits) {
        StoredPosition storage position = _ownPosition(positionKey, PositionState.Open);
        return Settlement.addMargin(position, _book.outcomes[position.outcomeId], _contextOf(positionKey), usdcUnits);
    }

    /// @inheritdoc IVault
    function exitByRepaying(bytes32 positionKey, address to) external nonReentrant {
        StoredPosition storage position = _ownPosition(positionKey, PositionState.Open);
        if (to == address(0)) revert ZeroAddress();
        if (_isLive(position)) revert OrderLive(position.orderValidUntil);
        Settlement.exitByRepaying(position, _book.outcomes[position.outcomeId], _contextOf(positionKey), to);
    }

    // ---------------------------------------------------------------- ending

    /// @inheritdoc IVault
    function settle(bytes32 positionKey) external nonReentrant {
        StoredPosition storage position = _positions[positionKey];
        StoredOutcome storage outcome = _book.outcomes[position.outcomeId];
        uint256 indexSet = _book.entries[outcome.conditionId][outcome.tokenId].indexSet;
        Settlement.settle(position, outcome, _contextOf(positionKey), indexSet);
    }

    /// @inheritdoc IVault
    function claim(bytes32 positionKey) external nonReentrant {
        StoredPosition storage position = _positions[positionKey];
        if (position.state <= PositionState.Open) revert WrongState(position.state);
        Settlement.claim(position, _book.outcomes[position.outcomeId], _contextOf(positionKey));
    }

    /// @inheritdoc IVault
    function impair(bytes32 positionKey, bool on) external nonReentrant {
        if (!on || msg.sender != guardian) _checkOwner();
        StoredPosition storage position = _positions[positionKey];
        if (position.state != PositionState.Open) revert WrongState(position.state);
        uint256 principal = position.principalUsdcUnits;
        if (principal == 0) revert NothingOwed();
        ILiquidityPool(pool).impair(positionKey, position.outcomeId, on ? principal : 0);
    }

    // ---------------------------------------------------------------- views

    /// @inheritdoc IVault
    function isLiveOrder(bytes32 positionKey, bytes32 orderHash) external view returns (bool live) {
        StoredPosition storage position = _positions[positionKey];
        // A grant has no hash, and nothing is signed for it.
        return orderHash != bytes32(0) && position.orderHash == orderHash && _isLive(position);
    }

    /// @inheritdoc IVault
    function positionOf(bytes32 positionKey) external view returns (Position memory position) {
        return _positions[positionKey].toView();
    }

    /// @inheritdoc IVault
    function liveOrderOf(bytes32 positionKey) external view returns (LiveOrder memory order) {
        StoredPosition storage position = _positions[positionKey];
        if (position.orderPurpose == Purpose.None) return order;
        order.orderHash = position.orderHash;
        order.makerAmount = position.orderMakerAmount;
        order.validUntil = position.orderValidUntil;
        order.purpose = position.orderPurpose;
    }

    /// @inheritdoc IVault
    function grantOf(bytes32 positionKey) external view returns (LiveGrant memory grant) {
        StoredPosition storage position = _positions[positionKey];
        if (position.orderPurpose == Purpose.None || !FillRoute.isGrant(position)) return grant;
        return FillRoute.toView(position);
    }

    /// @inheritdoc IVault
    function quoteFill(
        bytes32 positionKey,
        uint256 giveUnits
    ) external view returns (uint256 givenUnits, uint256 takenUnits) {
        StoredPosition storage position = _positions[positionKey];
        bool isPaused = position.orderPurpose == Purpose.Open && openingPaused;
        if (isPaused || !_isLiveGrant(position)) return (0, 0);
        return FillRoute.quote(position, _book.outcomes[position.outcomeId], _contextOf(positionKey), giveUnits);
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
        return PositionAccounts.addressOf(accountImplementation, positionKey);
    }

    // ---------------------------------------------------------------- internal: deployment

    /// @dev The contracts of the second ledger are none, or three that name each other and pay in USDC.
    function _checkManagedContracts() private view {
        (address manager, address router, address aggregator) = (_positionManager, _positionRouter, _oracleAggregator);
        if (manager == address(0) && router == address(0) && aggregator == address(0)) return;
        _checkCode(manager);
        _checkCode(router);
        _checkCode(aggregator);
        if (IPositionManager(manager).COLLATERAL_TOKEN() != usdc) revert LedgerMismatch(manager);
        if (
            IPositionRouter(router).COLLATERAL_TOKEN() != usdc || IPositionRouter(router).POSITION_MANAGER() != manager
        ) revert LedgerMismatch(router);
        if (IOracleAggregator(aggregator).POSITION_MANAGER() != manager) revert LedgerMismatch(aggregator);
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
        uint32 outcomeId = _book.entries[r.venueMarketId][r.venueTokenId].outcomeId;
        if (outcomeId == 0) revert UnknownOutcome();
        uint256 originationFee = FeeMath.originationFee(r.notionalUsdcUnits, r.originationFeeBps);

        position.user = msg.sender;
        position.state = PositionState.Pending;
        position.outcomeId = outcomeId;
        position.originationFeeBps = r.originationFeeBps;
        position.lifetimeFeeAprBps = r.lifetimeFeeAprBps;
        position.liquidationFeeBps = r.liquidationFeeBps;
        position.leverageBps = uint24(r.leverageBps);
        position.notionalUsdcUnits = uint48(r.notionalUsdcUnits);
        position.venueFeeUsdcUnits = uint48(r.venueFeeUsdcUnits);
        position.minPositionTokenUnits = uint48(r.minPositionTokenUnits);
        position.createdAt = uint32(block.timestamp);
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
        if (r.minPositionTokenUnits > type(uint48).max || r.minFillBps == 0 || r.minFillBps > BPS) {
            revert UserLimitOutOfRange();
        }
    }

    /// @dev The first opening order: the account comes into being and the pool lends, once.
    function _borrow(StoredPosition storage position, PositionContext memory c, uint16 exitBufferBps) private {
        uint256 lent = position.notionalUsdcUnits - position.collateral();
        position.principalUsdcUnits = uint48(lent);
        position.exitBufferBps = exitBufferBps;
        PositionAccounts.deploy(accountImplementation, c.positionKey);
        ILiquidityPool(pool).lend(c.positionKey, position.outcomeId, c.account, lent);
    }

    // ---------------------------------------------------------------- internal: orders

    /// @dev End the outstanding order, whatever its route, and return whether the next one buys.
    function _makeWay(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext memory c,
        Purpose purpose
    ) private returns (bool buys) {
        if (position.orderPurpose != Purpose.None) Settlement.endPreviousOrder(position, outcome, c);
        buys = purpose == Purpose.Open;
        if (purpose == Purpose.None || position.state != (buys ? PositionState.Pending : PositionState.Open)) {
            revert WrongState(position.state);
        }
        if (buys && openingPaused) revert OpeningIsPaused();
    }

    /// @dev Grant a member of a checked batch. Of one that is refused nothing changes, its previous order included;
    /// return the selector of its error, 0 where the error has none, as of a call that was starved of gas.
    /// @param c context of the batch, which becomes the member's
    /// @param a consent of the batch, which becomes the member's
    function _grantMember(
        uint32 outcomeId,
        PositionContext memory c,
        GrantAttestation memory a,
        GrantMember calldata member,
        uint256 mostUnits
    ) private returns (bool isGranted, bytes4 reason) {
        bytes32 positionKey = member.positionKey;
        StoredPosition storage position = _positions[positionKey];
        (c.positionKey, c.account) = (positionKey, accountOf(positionKey));
        if (position.outcomeId != outcomeId) return (false, AttestationMismatch.selector);
        (a.positionKey, a.mostUnits) = (positionKey, member.mostUnits);
        (a.limitPips, a.triggerPips, a.venueFeeBps) = (member.limitPips, member.triggerPips, member.venueFeeBps);
        try Settlement.beginMember(position, _book.outcomes[outcomeId], c, mostUnits, a) {
            return (true, 0);
        } catch (bytes memory data) {
            return (false, bytes4(data));
        }
    }

    /// @dev Return whether this caller may end the order of a position, or its opening, now.
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
            block.timestamp > position.createdAt + OPEN_WINDOW;
    }

    /// @dev An order granted before an alarm is not live while it lasts; those granted in it name its end.
    function _isLive(StoredPosition storage position) private view returns (bool) {
        if (position.orderPurpose == Purpose.None || block.timestamp > position.orderValidUntil) return false;
        return !_isAlarmed() || position.orderAlarmEndsAt == alarmEndsAt();
    }

    function _isLiveGrant(StoredPosition storage position) private view returns (bool) {
        return FillRoute.isGrant(position) && _isLive(position);
    }

    /// @dev Return whether an order of the position, if one is outstanding, may be ended by this caller: only the
    /// sender of a transaction measures one of the exchange, while a fill of a grant is whole under the lock.
    function _isMeasurable(StoredPosition storage position) private view returns (bool) {
        // solhint-disable-next-line avoid-tx-origin
        return position.orderPurpose == Purpose.None || msg.sender == tx.origin || FillRoute.isGrant(position);
    }

    function _finalize(bytes32 positionKey, StoredPosition storage position) private {
        Settlement.finalize(position, _book.outcomes[position.outcomeId], _contextOf(positionKey));
    }

    // ---------------------------------------------------------------- internal: reading

    function _contextOf(bytes32 positionKey) private view returns (PositionContext memory c) {
        c.positionKey = positionKey;
        c.account = accountOf(positionKey);
        c.usdc = usdc;
        c.conditionalTokens = conditionalTokens;
        c.positionManager = _positionManager;
        c.exchange = exchange;
        c.pool = pool;
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
