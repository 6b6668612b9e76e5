// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVenueExchange} from "./IVenueExchange.sol";

/// @title IVault
/// @notice Leveraged positions in binary outcome tokens. Four promises: the keeper alone can move nothing, because
/// every order needs the price signer's consent for that purpose and limit; fills are measured, never reported; every
/// exit works without the keeper; the vault holds no money.
/// @dev Units: USDC units (1e6 = 1 USD), token units (1e6 = 1 token), price pips (1e4 = 1 USD per token), bps
/// (1e4 = 1). Users receive floor and pay ceil; the floor of the liquidation price is the one exception, below a pip.
/// Assumptions. Safety: USDC has 6 decimals, no transfer fee and no hooks; the exchange moves an account's money only
/// by an order that account made, at that order's price or better, with a fee of at most maxFeeRateBps of the USDC
/// traded; allow-listed oracles report honestly; the price signer and the keeper are not the same hands.
/// Liveness: USDC does not blacklist an account or the pool; the exchange answers getOrderStatus.
interface IVault {
    /// @notice The life of a position. Terminal: Closed, Settled, Liquidated, Cancelled, Reverted.
    enum PositionState {
        None,
        Pending,
        Open,
        Closed,
        Settled,
        Liquidated,
        Cancelled,
        Reverted
    }

    /// @notice What an order, and the attestation that allows it, is for.
    enum Purpose {
        None,
        Open,
        Close,
        Unwind,
        Liquidate
    }

    /// @notice The roles that are sets of addresses.
    enum Role {
        None,
        Keeper,
        PriceSigner,
        Oracle
    }

    /// @notice What a user submits. The first ten fields are signed by the quote signer together with caller, chain
    /// and vault; the last four are the user's own and can only tighten.
    struct CreateRequest {
        bytes16 positionSeed;
        bytes32 venueMarketId;
        uint256 venueTokenId;
        uint256 collateralUsdcUnits;
        uint32 leverageBps;
        uint256 notionalUsdcUnits;
        uint16 originationFeeBps;
        uint16 lifetimeFeeAprBps;
        uint16 liquidationFeeBps;
        uint256 signatureExpiry;
        uint256 venueFeeUsdcUnits;
        uint256 minPositionTokenUnits;
        uint32 maxLiquidationPricePips;
        uint16 minFillBps;
    }

    /// @notice An ERC-2612 permit of the caller for this vault.
    struct Permit {
        uint256 usdcUnits;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @notice A position as it stands.
    /// @dev originalTokenUnits are the tokens of the opening: while Pending the least the user accepts for the whole
    /// notional, once Open what was bought. principalUsdcUnits is the whole loan from the first order on. since is the
    /// time of creation while Pending, afterwards the last change of the principal, from which lifetime fees accrue.
    struct Position {
        address user;
        PositionState state;
        uint32 outcomeId;
        uint16 originationFeeBps;
        uint16 lifetimeFeeAprBps;
        uint16 liquidationFeeBps;
        uint16 maxLiquidationPricePips;
        uint16 minFillBps;
        uint16 exitBufferBps;
        uint16 closeMinPricePips;
        bool cancelRequested;
        uint40 since;
        uint64 collateralUsdcUnits;
        uint64 notionalUsdcUnits;
        uint64 venueFeeUsdcUnits;
        uint64 principalUsdcUnits;
        uint64 pendingFeeUsdcUnits;
        uint64 badDebtUsdcUnits;
        uint64 filledUsdcUnits;
        uint64 originalTokenUnits;
        uint64 tokenUnits;
        uint64 closeTokenUnits;
    }

    /// @notice The standing order of a position; all zero when there is none.
    struct LiveOrder {
        bytes32 orderHash;
        uint64 makerAmount;
        uint40 validUntil;
        Purpose purpose;
    }

    /// @notice A registered outcome token.
    struct Outcome {
        bytes32 conditionId;
        uint256 tokenId;
        uint256 indexSet;
    }

    /// @notice The price signer's consent to one purpose and limit; EIP-712, domain ("Vault", "1").
    struct PriceAttestation {
        bytes32 marketId;
        uint256 tokenId;
        uint8 purpose;
        uint32 markPips;
        uint32 limitPips;
        uint32 triggerPips;
        uint16 venueFeeBps;
        uint16 exitBufferBps;
        uint64 observedAt;
    }

    /// @notice Who got what when a position's money was divided; each in USDC units.
    struct Distribution {
        uint256 proceedsUsdcUnits;
        uint256 principalUsdcUnits;
        uint256 lifetimeFeeUsdcUnits;
        uint256 liquidationFeeUsdcUnits;
        uint256 recoveredUsdcUnits;
        uint256 userUsdcUnits;
        uint256 badDebtUsdcUnits;
    }

    event OutcomeRegistered(
        uint32 indexed outcomeId,
        bytes32 indexed conditionId,
        uint256 indexed tokenId,
        address oracle,
        bytes32 questionId,
        uint256 indexSet
    );
    event PositionCreated(
        bytes32 indexed positionKey,
        address indexed user,
        uint32 indexed outcomeId,
        address account,
        uint256 originationFeeUsdcUnits,
        CreateRequest request
    );
    event OrderAuthorized(
        bytes32 indexed positionKey,
        bytes32 indexed orderHash,
        Purpose indexed purpose,
        uint256 makerAmount,
        uint256 takerAmount,
        uint256 validUntil,
        uint32 markPips,
        uint32 limitPips
    );
    event OrderEnded(
        bytes32 indexed positionKey,
        bytes32 indexed orderHash,
        Purpose indexed purpose,
        uint256 filledMakerAmount
    );
    event PositionOpened(
        bytes32 indexed positionKey,
        address indexed user,
        uint256 tokenUnits,
        uint256 tradeUsdcUnits,
        uint256 spentUsdcUnits,
        uint256 principalUsdcUnits,
        uint256 originationFeeUsdcUnits,
        uint256 refundUsdcUnits,
        uint16 exitBufferBps
    );
    event PositionReduced(
        bytes32 indexed positionKey,
        address indexed user,
        Purpose indexed purpose,
        PositionState state,
        uint256 soldTokenUnits,
        uint256 tokenUnits,
        Distribution distribution
    );
    event PositionRefunded(
        bytes32 indexed positionKey,
        address indexed user,
        PositionState state,
        uint256 refundUsdcUnits,
        uint256 badDebtUsdcUnits
    );
    event CloseRequested(
        bytes32 indexed positionKey,
        address indexed user,
        uint256 tokenUnits,
        uint256 minPricePips
    );
    event CancelRequested(bytes32 indexed positionKey, address indexed user);
    event MarginAdded(
        bytes32 indexed positionKey,
        address indexed user,
        uint256 principalUsdcUnits,
        uint256 lifetimeFeeUsdcUnits
    );
    event PositionExited(
        bytes32 indexed positionKey,
        address indexed user,
        address to,
        uint256 tokenUnits,
        Distribution distribution
    );
    event PositionSettled(
        bytes32 indexed positionKey,
        address indexed user,
        uint256 tokenUnits,
        Distribution distribution
    );
    event Claimed(
        bytes32 indexed positionKey,
        address indexed user,
        uint256 userUsdcUnits,
        uint256 recoveredUsdcUnits,
        uint256 tokenUnits
    );
    event BadDebtBooked(bytes32 indexed positionKey, uint256 usdcUnits);
    event WrittenOff(bytes32 indexed positionKey, uint256 usdcUnits);
    event PaymentDeferred(bytes32 indexed positionKey, address indexed user, uint256 usdcUnits);
    event QuoteSignerChanged(address indexed quoteSigner);
    event GuardianChanged(address indexed guardian);
    event RoleChanged(Role indexed role, address indexed account, bool allowed);
    event BuilderChanged(bytes32 indexed builder, bool allowed);
    event OpeningPaused(bool paused);

    error ZeroAddress();
    error RoleRequired();
    error LastOfRole(Role role);
    error DeploymentMismatch();
    error NotKeeper();
    error NotGuardian();
    error NotPositionOwner();
    error RolesNotSeparate(address account);
    error OpeningIsPaused();
    error UnknownOutcome();
    error OutcomeExists(uint32 outcomeId);
    error OracleNotAllowed(address oracle);
    error ConditionNotBinary();
    error SignatureExpired();
    error SignatureTooFarAhead();
    error InvalidQuoteSignature();
    error SeedUsed(bytes32 positionKey);
    error LeverageOutOfRange();
    error CollateralOutOfRange();
    error NotionalMismatch();
    error FeeAboveMaximum();
    error VenueFeeAboveMaximum();
    error UserLimitOutOfRange();
    error WrongState(PositionState state);
    error OrderLive(uint256 validUntil);
    error NothingToFinalize();
    error NotFinalizableYet();
    error InvalidAttestationSignature();
    error AttestationMismatch();
    error AttestationStale();
    error AttestationPriceOutOfRange();
    error AttestationBufferTooHigh();
    error OrderMismatch();
    error BuilderNotAllowed(bytes32 builder);
    error OrderTouched(bytes32 orderHash);
    error OrderValidityOutOfRange();
    error OrderAmountOutOfRange();
    error OrderPriceTooPoor();
    error CancelWasRequested();
    error OpenWindowOver();
    error VenueFeeTooSmall();
    error BornUnhealthy(uint256 liquidationPricePips, uint256 maximumPips);
    error CloseNotRequested();
    error RemainderTooSmall();
    error SaleBelowDebt();
    error NotTriggered();
    error NotLiquidatable(uint256 liquidationPricePips);
    error CloseOutOfRange();
    error NothingOwed();
    error SaleNotBooked();
    error InsideCall();
    error NotResolved();
    error NothingToClaim();
    error TooEarly(uint256 notBefore);

    /// @notice Registers an outcome token of a prepared binary condition, deriving condition and token id on chain.
    /// Anyone, once per token. The oracle must be allow-listed.
    function registerOutcome(
        address oracle,
        bytes32 questionId,
        uint256 indexSet
    ) external returns (uint32 outcomeId);

    /// @notice Creates a Pending position from a signed quote and takes collateral + origination fee + venue fee from
    /// the caller into the position's own account. Nothing is borrowed yet.
    function createPosition(
        CreateRequest calldata request,
        bytes calldata signature
    ) external returns (bytes32 positionKey);

    /// @notice As createPosition; a permit that fails is ignored, because someone else may have used it already.
    function createPositionWithPermit(
        CreateRequest calldata request,
        bytes calldata signature,
        Permit calldata permit
    ) external returns (bytes32 positionKey);

    /// @notice Grants exactly one order to a position, after ending (and booking) the previous one. Keeper only.
    /// The first opening order deploys the account and borrows notional − collateral.
    function authorizeOrder(
        bytes32 positionKey,
        Purpose purpose,
        IVenueExchange.Order calldata order,
        uint64 validUntil,
        PriceAttestation calldata attestation,
        bytes calldata signature
    ) external returns (bytes32 orderHash);

    /// @notice Ends the live order, measures what the account holds, pays, moves the state. Keeper at any time; anyone
    /// when no order is live and the position is Open, cancelled, or past its open window. While an order stands, this
    /// and whatever else would end it is for the sender of a transaction alone: inside a match nothing can be measured.
    function finalize(bytes32 positionKey) external;

    /// @notice finalize for each key that has something to do for this caller; the others are skipped.
    function finalizeMany(bytes32[] calldata positionKeys) external;

    /// @notice Cancels a Pending position: at once when no order is live (and, beside a dead one, the caller sent the
    /// transaction), else as soon as it ends and anyone finalizes. What was filled until then opens.
    function cancelPosition(bytes32 positionKey) external;

    /// @notice Asks for the sale of all tokens (tokenUnits at least what is held) or of a part of at least 20 % of the
    /// original and 5 tokens that leaves at least 5 tokens; 0 withdraws the request. Position owner only.
    function requestClose(bytes32 positionKey, uint256 tokenUnits, uint256 minPricePips) external;

    /// @notice Repays principal, then lifetime fees, from the owner's wallet; never takes more than is owed. Refused
    /// while tokens sold by a liquidation wait to be booked: what that sale repays carries the liquidation fee.
    function addMargin(bytes32 positionKey, uint256 usdcUnits) external returns (uint256 paidUsdcUnits);

    /// @notice Repays all that is owed from the owner's wallet and sends the tokens to `to`. Needs no keeper, price or
    /// venue. When a dead order had sold everything, the position ends by that sale instead and nothing is taken.
    function exitByRepaying(bytes32 positionKey, address to) external;

    /// @notice Redeems a resolved outcome and divides the payout. Anyone, once payouts are known.
    function settle(bytes32 positionKey) external;

    /// @notice Hands out what reached the account of a finished position: USDC first to booked bad debt, then to the
    /// owner, whoever calls; tokens left over to the owner when he calls himself and no bad debt is left: nothing is
    /// pushed at anyone.
    function claim(bytes32 positionKey) external;

    /// @notice Books the principal of a position that did not move for 60 days as bad debt. Owner only.
    function writeOff(bytes32 positionKey) external;

    /// @notice Stops new positions and new opening orders. Guardian or owner.
    function pauseOpening() external;

    /// @notice Ends the pause. Owner only.
    function resumeOpening() external;

    /// @notice Sets the quote signer, which makes every older quote invalid. Owner; the guardian may set zero.
    function setQuoteSigner(address quoteSigner) external;

    /// @notice Sets the guardian. Owner only.
    function setGuardian(address guardian) external;

    /// @notice Adds or removes a keeper, price signer or oracle. Owner; the guardian may remove a keeper or price
    /// signer, never the last one: liquidations go on.
    function setRole(Role role, address account, bool allowed) external;

    /// @notice Allows a builder code in orders; the zero code (no builder fee) is always allowed. Owner only.
    function setBuilder(bytes32 builder, bool allowed) external;

    /// @notice Whether an order hash is the live order of a position and still valid.
    function isLiveOrder(bytes32 positionKey, bytes32 orderHash) external view returns (bool live);

    /// @notice keccak256(abi.encode(chain id, vault, user, first 12 bytes of the seed)).
    function positionKeyOf(address user, bytes16 positionSeed) external view returns (bytes32 positionKey);

    /// @notice The account of a position, deployed or not.
    function accountOf(bytes32 positionKey) external view returns (address account);

    /// @notice A position as it stands.
    function positionOf(bytes32 positionKey) external view returns (Position memory position);

    /// @notice The order last authorised and not yet ended; it is live while block.timestamp <= validUntil.
    function liveOrderOf(bytes32 positionKey) external view returns (LiveOrder memory order);

    /// @notice Principal (with written-off debt) and lifetime fees owed now.
    function debtOf(
        bytes32 positionKey
    ) external view returns (uint256 principalUsdcUnits, uint256 lifetimeFeeUsdcUnits);

    /// @notice Liquidation price now, floor; 0 unless Open, and without principal.
    function liquidationPriceOf(bytes32 positionKey) external view returns (uint256 pricePips);

    /// @notice Value at a mark, the threshold it is compared with, and whether that mark allows a liquidation.
    function healthOf(
        bytes32 positionKey,
        uint256 markPips
    ) external view returns (uint256 valueUsdcUnits, uint256 thresholdUsdcUnits, bool liquidatable);

    /// @notice A registered outcome.
    function outcomeOf(uint32 outcomeId) external view returns (Outcome memory outcome);

    /// @notice Id of a registered outcome, 0 when not registered.
    function outcomeIdOf(bytes32 venueMarketId, uint256 venueTokenId) external view returns (uint32 outcomeId);

    /// @notice Whether an address holds a role.
    function hasRole(Role role, address account) external view returns (bool allowed);

    /// @notice Whether a builder code may stand in an order.
    function isBuilderAllowed(bytes32 builder) external view returns (bool allowed);

    /// @notice The signer of quotes.
    function quoteSigner() external view returns (address signer);

    /// @notice The guardian.
    function guardian() external view returns (address guardianAddress);

    /// @notice Whether opening is paused.
    function openingPaused() external view returns (bool paused);

    /// @notice The highest origination fee a quote may carry, in bps of the notional; fixed for ever.
    function maxOriginationFeeBps() external view returns (uint256 feeBps);

    /// @notice EIP-712 domain separator of price attestations.
    function domainSeparator() external view returns (bytes32 separator);

    /// @notice The pool that lends.
    function pool() external view returns (address poolAddress);

    /// @notice The code behind every position account.
    function accountImplementation() external view returns (address implementation);

    /// @notice USDC.
    function usdc() external view returns (address usdcAddress);

    /// @notice ConditionalTokens.
    function conditionalTokens() external view returns (address conditionalTokensAddress);

    /// @notice Collateral token that goes into token ids.
    function ctfCollateral() external view returns (address collateralAddress);

    /// @notice Contract whose redeemPositions turns tokens into USDC.
    function redeemer() external view returns (address redeemerAddress);

    /// @notice The venue's exchange.
    function exchange() external view returns (address exchangeAddress);
}
