// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVenueExchange} from "./IVenueExchange.sol";

/// @title IVault
/// @notice Leveraged positions in binary outcome tokens. Four promises: the keeper alone can move nothing, because
/// every order needs the consent of several price signers to that purpose and limit; fills are measured, never
/// reported; every exit works without the keeper; the vault holds no money. An order takes one of two routes: Direct,
/// an order of the position's account on the exchange, or Fill, a grant that anyone may fill for some seconds.
/// @dev Units: USDC units (1e6 = 1 USD), token units (1e6 = 1 token), price pips (1e4 = 1 USD per token), bps (1e4 =
/// 1). Users receive floor and pay ceil; the floor of the liquidation price is the one exception, below a pip.
/// Assumptions.
/// Safety: USDC has 6 decimals, no transfer fee and no hooks; the exchange moves an account's money only by an order
/// that account made, at that order's price or better, with a fee of at most getMaxFeeRate of the USDC traded;
/// allow-listed oracles report honestly; price signers and keeper are different parties.
/// Liveness: USDC does not blacklist an account or the pool; the exchange answers getOrderStatus.
/// PositionManager, its router and modules can be replaced by the venue's owner. They are trusted with the outcomes
/// they hold alone: a bad replacement takes those and the loans behind them, and nothing else.
/// Errors of others. Every call that touches a position or registers an outcome stands under one lock and reverts
/// with ReentrancyGuardReentrantCall inside another. What USDC, an outcome's ledger, what redeems it or the exchange
/// refuses passes through as their own error, or as SafeERC20FailedOperation. The owner's calls revert with
/// OwnableUnauthorizedAccount for any other caller. GasTooLow is IPositionAccount's; LiquidityExceeded,
/// OutcomeCapExceeded and, where an assumption is broken, BookNotCovered are ILiquidityPool's.
interface IVault {
    /// @notice The life of a position. Terminal: Closed, Settled, Liquidated, Cancelled, Reverted.
    enum PositionState {
        /// No position has this key.
        None,
        /// Paid for, nothing opened yet.
        Pending,
        /// Holds tokens.
        Open,
        /// All tokens sold at the user's request or by an unwind, or taken out by exitByRepaying.
        Closed,
        /// Redeemed after the market was resolved.
        Settled,
        /// The last tokens sold by a liquidation.
        Liquidated,
        /// Nothing was bought, and the user had asked to cancel.
        Cancelled,
        /// Nothing was bought, and the user had not asked to cancel.
        Reverted
    }

    /// @notice Purpose of an order and of the attestation that allows it.
    enum Purpose {
        /// No order.
        None,
        /// Buys the tokens of a Pending position.
        Open,
        /// Sells what the user asked to have sold.
        Close,
        /// Sells what repays the debt, before a liquidation is due.
        Unwind,
        /// Sells a position whose mark is at or under its liquidation price.
        Liquidate
    }

    /// @notice The roles that are sets of addresses.
    enum Role {
        /// No role; refused everywhere.
        None,
        /// Authorises orders and may finalize at any time.
        Keeper,
        /// Signs price attestations.
        PriceSigner,
        /// Resolves conditions whose outcomes may be registered.
        Oracle
    }

    /// @notice Contract that holds an outcome's tokens and knows its result.
    enum Ledger {
        /// ConditionalTokens, redeemed by the redeemer.
        ConditionalTokens,
        /// The PositionManager of Protocol V2, redeemed by its router.
        PositionManager
    }

    /// @notice Request of a user. The first ten fields are signed by the quote signer together with caller, chain
    /// and vault; the last four are the user's own and can only tighten.
    struct CreateRequest {
        /// Its first 12 bytes make the position key, once for ever; the other 4 differ between quotes of one draft.
        bytes16 positionSeed;
        /// Condition id of the market; of a condition of the PositionManager its 31 bytes and a zero.
        bytes32 venueMarketId;
        /// ERC-1155 id of the outcome token, which must be registered under that condition.
        uint256 venueTokenId;
        /// The user's own part of the notional, in USDC units; at least 1,000,000.
        uint256 collateralUsdcUnits;
        /// Notional over collateral, in bps; 15,000 to 100,000.
        uint32 leverageBps;
        /// Amount to spend on tokens, in USDC units: exactly collateral × leverage; at most 1e14.
        uint256 notionalUsdcUnits;
        /// Of the notional, in bps; at most 500.
        uint16 originationFeeBps;
        /// Of the principal for 365 days, in bps; at most 2,000.
        uint16 lifetimeFeeAprBps;
        /// Of the principal that a liquidation repays, in bps; at most 1,000.
        uint16 liquidationFeeBps;
        /// Last moment of the quote, in Unix seconds; at most 600 s ahead.
        uint256 signatureExpiry;
        /// Budget for the venue's fees of the opening, in USDC units; at most 10 % of the notional. What is not used
        /// goes back.
        uint256 venueFeeUsdcUnits;
        /// The least tokens for the whole notional, in token units; each opening order must promise its share of them.
        uint256 minPositionTokenUnits;
        /// The highest liquidation price an opening order may lead to, in pips.
        uint32 maxLiquidationPricePips;
        /// The least size of an opening order while nothing is filled, in bps of the notional; 1 to 10,000. 10,000
        /// stands for 99 %, because sizes have two decimals.
        uint16 minFillBps;
    }

    /// @notice An ERC-2612 permit of the caller for this vault.
    struct Permit {
        /// The allowance, in USDC units.
        uint256 usdcUnits;
        /// Last moment of the permit, in Unix seconds.
        uint256 deadline;
        /// Recovery byte of the signature.
        uint8 v;
        /// First word of the signature.
        bytes32 r;
        /// Second word of the signature.
        bytes32 s;
    }

    /// @notice A position as it is now.
    struct Position {
        /// Creator and permanent owner.
        address user;
        /// State in its life.
        PositionState state;
        /// The registered outcome it is in.
        uint32 outcomeId;
        /// As quoted, of the notional, in bps.
        uint16 originationFeeBps;
        /// As quoted, of the principal for 365 days, in bps.
        uint16 lifetimeFeeAprBps;
        /// As quoted, of the principal a liquidation repays, in bps.
        uint16 liquidationFeeBps;
        /// The user's maximum for opening orders, in pips; at most 10,000 is kept.
        uint16 maxLiquidationPricePips;
        /// The user's least first opening order, in bps of the notional.
        uint16 minFillBps;
        /// Distance above debt and liquidation fee where liquidation may start, in bps of the debt; fixed by the first
        /// opening order.
        uint16 exitBufferBps;
        /// The least price of a requested close, in pips; 0 without a request.
        uint16 closeMinPricePips;
        /// True once the user asked to cancel while Pending; stays set when a filled part opened.
        bool cancelRequested;
        /// Time of its creation, in Unix seconds.
        uint40 createdAt;
        /// Time of the last fee reckoning: at the opening or at the last distribution of money; lifetime fees accrue
        /// from it. Unix seconds; 0 before the opening.
        uint40 since;
        /// As quoted, in USDC units; what the fill did not use was refunded.
        uint64 collateralUsdcUnits;
        /// As quoted, in USDC units.
        uint64 notionalUsdcUnits;
        /// The budget for the venue's fees of the opening, in USDC units.
        uint64 venueFeeUsdcUnits;
        /// Outstanding loan of the pool, in USDC units; 0 at its end.
        uint64 principalUsdcUnits;
        /// Lifetime fees accrued until `since`, and what liquidations of a part could not pay of their fee: what is not
        /// paid of them, in USDC units, ceil.
        uint64 pendingFeeUsdcUnits;
        /// Left unpaid by the end and not recovered yet, in USDC units.
        uint64 badDebtUsdcUnits;
        /// Fills of opening orders that were replaced by another, in USDC units.
        uint64 filledUsdcUnits;
        /// The least tokens the user accepts for the whole notional, in token units.
        uint64 minPositionTokenUnits;
        /// Purchased tokens, in token units; 0 before the opening.
        uint64 originalTokenUnits;
        /// Tokens booked as held, in token units: 0 while Pending; once finished, the remainder that was left.
        uint64 tokenUnits;
        /// Tokens the user asked to have sold, in token units; 0 without a request.
        uint64 closeTokenUnits;
    }

    /// @notice The outstanding order of a position; all zero when there is none.
    struct LiveOrder {
        /// Its hash on the exchange.
        bytes32 orderHash;
        /// The most it gives: USDC units of an opening, token units of a sale.
        uint64 makerAmount;
        /// The last moment it is live, in Unix seconds; it is outstanding until it is ended.
        uint40 validUntil;
        /// Purpose of the order.
        Purpose purpose;
    }

    /// @notice The price signers' consent to a grant; EIP-712, domain ("Vault", "1").
    struct GrantAttestation {
        /// The one position it serves.
        bytes32 positionKey;
        /// Condition id of the market.
        bytes32 marketId;
        /// ERC-1155 id of the token whose prices these are.
        uint256 tokenId;
        /// The one Purpose it serves, as a number.
        uint8 purpose;
        /// The token's mark, in pips; 1 to 10,000.
        uint32 markPips;
        /// The worst price of a fill, fee part apart, in pips; 1 to 10,000, and within 5 % of the mark for Open and
        /// Close, 10 % for Unwind, 20 % for Liquidate and for a Close with a price of the user's own; of a sale it may
        /// be any distance above. With the fee part it is at most 10 %, 15 % and 20 % worse than the mark.
        uint32 limitPips;
        /// As in PriceAttestation.
        uint32 triggerPips;
        /// The fee part at the end of the price path as a share of the USDC traded, in bps; at most 1,000.
        uint16 venueFeeBps;
        /// As in PriceAttestation.
        uint16 exitBufferBps;
        /// Time of the observed prices, in Unix seconds; not ahead of the block, at most 6 s behind it, and later than
        /// that of the position's last grant, or as late for a purpose that it has not served yet.
        uint64 observedAt;
        /// The size the limit was computed for: USDC units of an opening, token units of a sale.
        uint64 mostUnits;
        /// Time of the grant, in seconds; 6 to 20. Its price moves from the start to the limit in the first half.
        uint16 validFor;
        /// The last second of a fill, in Unix seconds; it cuts the end of the grant and never its beginning.
        uint64 notAfter;
    }

    /// @notice The price signers' one consent to the grants of several sales of one token at one moment; EIP-712,
    /// domain ("Vault", "1"). Each member is bound as by a GrantAttestation with these fields.
    struct GrantBatch {
        /// Condition id of the market.
        bytes32 marketId;
        /// ERC-1155 id of the token whose prices these are.
        uint256 tokenId;
        /// The one Purpose it serves, as a number: Close, Unwind or Liquidate.
        uint8 purpose;
        /// As in GrantAttestation.
        uint32 markPips;
        /// As in GrantAttestation.
        uint64 observedAt;
        /// As in GrantAttestation.
        uint16 validFor;
        /// As in GrantAttestation.
        uint64 notAfter;
        /// The sales.
        GrantMember[] members;
    }

    /// @notice One sale of a GrantBatch; the fields are those of GrantAttestation.
    struct GrantMember {
        /// The one position it serves.
        bytes32 positionKey;
        /// Size of the grant, in token units.
        uint64 mostUnits;
        /// The worst price of a fill, in pips.
        uint32 limitPips;
        /// As in PriceAttestation.
        uint32 triggerPips;
        /// The fee part at the end of the price path, in bps.
        uint16 venueFeeBps;
    }

    /// @notice One fill of several; the fields are those of fill.
    struct GrantFill {
        /// The position.
        bytes32 positionKey;
        /// The most the caller gives.
        uint256 giveUnits;
        /// The most the caller takes for all of that.
        uint256 takeUnits;
    }

    /// @notice The outstanding grant of a position; all zero when there is none.
    struct LiveGrant {
        /// Purpose of the grant.
        Purpose purpose;
        /// The most it trades: USDC units of an opening, fee part apart; token units of a sale.
        uint64 mostUnits;
        /// Filled amount so far, in the unit of mostUnits.
        uint64 filledUnits;
        /// Time of its authorisation, in Unix seconds.
        uint40 startsAt;
        /// Time of the grant, in seconds; the price path takes half of it.
        uint16 validFor;
        /// The last second of a fill, in Unix seconds: startsAt + validFor, or notAfter where that is earlier.
        uint40 endsAt;
        /// Price at startsAt, in pips: the mark, or the limit where that is better for the position.
        uint32 startPips;
        /// Price from startsAt + validFor / 2 on, in pips: the attested limit, or the user's where that is tighter. The
        /// user's least tokens can bind below a pip; quoteFill knows.
        uint32 limitPips;
        /// The fee part from startsAt + validFor / 2 on as a share of the USDC traded, in bps.
        uint16 venueFeeBps;
        /// The attested mark, in pips.
        uint32 markPips;
    }

    /// @notice A registered outcome token.
    struct Outcome {
        /// Condition whose payouts decide it.
        bytes32 conditionId;
        /// ERC-1155 id of the token.
        uint256 tokenId;
        /// 1 for the condition's first outcome, 2 for the second.
        uint256 indexSet;
        /// Contract that holds its tokens.
        Ledger ledger;
    }

    /// @notice The price signers' consent to one purpose and limit; EIP-712, domain ("Vault", "1").
    struct PriceAttestation {
        /// Condition id of the market.
        bytes32 marketId;
        /// ERC-1155 id of the token whose prices these are.
        uint256 tokenId;
        /// The one Purpose it serves, as a number.
        uint8 purpose;
        /// The token's mark, in pips; 1 to 10,000.
        uint32 markPips;
        /// The worst price of the order, before the venue's fee, in pips; 1 to 10,000, and within 20 % of the mark but
        /// for Liquidate.
        uint32 limitPips;
        /// Unwind only: the debt per token must be above it, in pips; 0 also lets everything be sold below its debt.
        uint32 triggerPips;
        /// The venue's fee as a share of the USDC traded, in bps; at most 10,000.
        uint16 venueFeeBps;
        /// The position's exit buffer, in bps; at most 1,500. Only that of the first opening order is kept.
        uint16 exitBufferBps;
        /// Time of the observed prices, in Unix seconds; not ahead of the block and at most 30 s behind it.
        uint64 observedAt;
    }

    /// @notice Division of a position's money, each part in USDC units. Principal, lifetime fee,
    /// liquidation fee, recovered and user add up to the proceeds.
    struct Distribution {
        /// Distributed amount: the account's USDC, and the user's repayment in the call.
        uint256 proceedsUsdcUnits;
        /// To the pool for the loan.
        uint256 principalUsdcUnits;
        /// To the pool for lifetime fees.
        uint256 lifetimeFeeUsdcUnits;
        /// To the pool for the liquidation, ceil.
        uint256 liquidationFeeUsdcUnits;
        /// To the pool for bad debt that an earlier end left.
        uint256 recoveredUsdcUnits;
        /// To the user: what is left.
        uint256 userUsdcUnits;
        /// Principal that was not repaid and is booked as lost; no part of the proceeds.
        uint256 badDebtUsdcUnits;
    }

    /// @notice An outcome token was registered; positions may be created in it.
    /// @param outcomeId its number, counted from 1
    /// @param conditionId the condition whose payouts decide it
    /// @param tokenId ERC-1155 id of the token
    /// @param oracle who resolves the condition
    /// @param questionId the oracle's question
    /// @param indexSet 1 for the condition's first outcome, 2 for the second
    event OutcomeRegistered(
        uint32 indexed outcomeId,
        bytes32 indexed conditionId,
        uint256 indexed tokenId,
        address oracle,
        bytes32 questionId,
        uint256 indexSet
    );

    /// @notice An outcome token of the PositionManager was registered; positions may be created in it.
    /// @param outcomeId its number, counted from 1 together with those of ConditionalTokens
    /// @param conditionId the condition whose result decides it: its 31 bytes and a zero
    /// @param tokenId ERC-1155 id of the token: the condition, with 0 or 1 as its last byte
    /// @param module contract that decided the conditions of its kind then
    /// @param indexSet 1 for the condition's first outcome, 2 for the second
    event ManagedOutcomeRegistered(
        uint32 indexed outcomeId,
        bytes32 indexed conditionId,
        uint256 indexed tokenId,
        address module,
        uint256 indexSet
    );

    /// @notice A position was created and its money taken from the user.
    /// @param positionKey the new position
    /// @param user its owner
    /// @param outcomeId the outcome it is in
    /// @param account where its money went; code comes there with the first order or the end
    /// @param originationFeeUsdcUnits the fee for the whole notional, in USDC units, ceil
    /// @param request what the user submitted
    event PositionCreated(
        bytes32 indexed positionKey,
        address indexed user,
        uint32 indexed outcomeId,
        address account,
        uint256 originationFeeUsdcUnits,
        CreateRequest request
    );

    /// @notice The keeper gave a position its one order, and the exchange may fill it.
    /// @param positionKey the position
    /// @param orderHash the order's hash on the exchange
    /// @param purpose what the order is for
    /// @param makerAmount the most it gives: USDC units of an opening, token units of a sale
    /// @param takerAmount the least it takes for all of that: token units of an opening, USDC units of a sale
    /// @param validUntil the last moment it is live, in Unix seconds
    /// @param markPips the attested mark, in pips
    /// @param limitPips the attested limit, in pips
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

    /// @notice A position's order ended and its allowances were taken back. USDC refuses that for a blacklisted
    /// exchange, which cannot pull then.
    /// @param positionKey the position
    /// @param orderHash the order's hash on the exchange
    /// @param purpose what the order was for
    /// @param filledMakerAmount what the exchange says it gave, in the unit of its makerAmount and at most that; 0 when
    /// the exchange does not answer. What the account holds decides: this only splits an opening into trade and fees
    event OrderEnded(
        bytes32 indexed positionKey,
        bytes32 indexed orderHash,
        Purpose indexed purpose,
        uint256 filledMakerAmount
    );

    /// @notice The keeper gave a position its one order as a grant, and anyone may fill it.
    /// @param positionKey the position
    /// @param purpose what the grant is for
    /// @param mostUnits the most it trades: USDC units of an opening, token units of a sale
    /// @param markPips the attested mark, in pips
    /// @param startPips the price now, in pips
    /// @param limitPips the price at the end of the path, in pips
    /// @param venueFeeBps the fee part at the end of the path as a share of the USDC traded, in bps
    /// @param validFor time of the grant, in seconds; the path takes half of it
    /// @param endsAt the last second of a fill, in Unix seconds
    event GrantAuthorized(
        bytes32 indexed positionKey,
        Purpose indexed purpose,
        uint256 mostUnits,
        uint32 markPips,
        uint32 startPips,
        uint32 limitPips,
        uint16 venueFeeBps,
        uint16 validFor,
        uint256 endsAt
    );

    /// @notice A member of a batch was not granted; the others are not affected, nor is the order it has.
    /// @param positionKey the position
    /// @param reason selector of the error that authorizeGrant would have reverted with, AttestationMismatch for a
    /// position in another outcome or none; 0 where there is no selector, as of a call that was starved of gas
    event GrantRefused(bytes32 indexed positionKey, bytes4 reason);

    /// @notice A grant was filled, in part or to its end. Opened or reduced is the position when the grant ends.
    /// @param positionKey the position
    /// @param filler who gave and took
    /// @param purpose what the grant is for
    /// @param usdcUnits USDC that moved, in USDC units, the fee part included: to the filler of an opening, from that
    /// of a sale
    /// @param tokenUnits tokens that moved the other way, in token units
    /// @param feeUsdcUnits fee part, in USDC units, floor: in usdcUnits on top of the trade of an opening, missing
    /// there from that of a sale
    event GrantFilled(
        bytes32 indexed positionKey,
        address indexed filler,
        Purpose indexed purpose,
        uint256 usdcUnits,
        uint256 tokenUnits,
        uint256 feeUsdcUnits
    );

    /// @notice A position's grant ended.
    /// @param positionKey the position
    /// @param purpose what the grant was for
    /// @param filledUnits traded by its fills: USDC units of an opening, fee part apart; token units of a sale
    event GrantEnded(bytes32 indexed positionKey, Purpose indexed purpose, uint256 filledUnits);

    /// @notice A Pending position ended its opening with tokens; what was not used was paid back.
    /// @param positionKey the position
    /// @param user its owner
    /// @param tokenUnits tokens in the account, in token units
    /// @param tradeUsdcUnits spent on tokens, in USDC units: what the exchange says was filled, or all that was spent
    /// when that is more than the fill and the exchange's highest fee explain
    /// @param spentUsdcUnits spent on tokens and the venue's fees, in USDC units
    /// @param principalUsdcUnits the loan it keeps, in USDC units: its share of what the exchange says was filled,
    /// or what the user's collateral and fee budget could not pay of all that was spent
    /// @param originationFeeUsdcUnits the fee for what was traded, in USDC units, ceil, at most the cash that was left
    /// @param refundUsdcUnits what was left to the user, in USDC units
    /// @param exitBufferBps the exit buffer fixed by its first order, in bps
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

    /// @notice A sale order ended with tokens gone, or USDC in the account, and the USDC was divided.
    /// @param positionKey the position
    /// @param user its owner
    /// @param purpose what the order was for
    /// @param state Open, or Closed or Liquidated when fewer than 10,000 token units are left
    /// @param soldTokenUnits tokens gone, in token units; 0 when only USDC had come
    /// @param tokenUnits tokens left, in token units
    /// @param distribution who got what
    event PositionReduced(
        bytes32 indexed positionKey,
        address indexed user,
        Purpose indexed purpose,
        PositionState state,
        uint256 soldTokenUnits,
        uint256 tokenUnits,
        Distribution distribution
    );

    /// @notice A Pending position ended without tokens (fewer than 10,000 token units, or such that cost nothing): the
    /// pool took its loan back first, the user got the rest.
    /// @param positionKey the position
    /// @param user its owner
    /// @param state Cancelled when the user had asked for it, else Reverted
    /// @param refundUsdcUnits paid to the user, in USDC units
    /// @param badDebtUsdcUnits loan that the account did not hold any more, in USDC units
    event PositionRefunded(
        bytes32 indexed positionKey,
        address indexed user,
        PositionState state,
        uint256 refundUsdcUnits,
        uint256 badDebtUsdcUnits
    );

    /// @notice The user asked for a sale, changed the request, or withdrew it.
    /// @param positionKey the position
    /// @param user its owner
    /// @param tokenUnits tokens to sell, in token units and at most what is held; 0 withdraws
    /// @param minPricePips the least price of the sale, before the venue's fee, in pips
    event CloseRequested(
        bytes32 indexed positionKey,
        address indexed user,
        uint256 tokenUnits,
        uint256 minPricePips
    );

    /// @notice The user asked to cancel a Pending position; no opening order is authorised any more.
    /// @param positionKey the position
    /// @param user its owner
    event CancelRequested(bytes32 indexed positionKey, address indexed user);

    /// @notice The user repaid debt from its own wallet.
    /// @param positionKey the position
    /// @param user its owner
    /// @param principalUsdcUnits principal repaid, in USDC units
    /// @param lifetimeFeeUsdcUnits lifetime fees paid, in USDC units
    event MarginAdded(
        bytes32 indexed positionKey,
        address indexed user,
        uint256 principalUsdcUnits,
        uint256 lifetimeFeeUsdcUnits
    );

    /// @notice The user repaid everything and took the tokens: the position is Closed.
    /// @param positionKey the position
    /// @param user its owner, who also got the USDC of the account
    /// @param to who received the tokens
    /// @param tokenUnits tokens sent, in token units: all that the account held
    /// @param distribution who got what of the user's payment and the account's USDC
    event PositionExited(
        bytes32 indexed positionKey,
        address indexed user,
        address to,
        uint256 tokenUnits,
        Distribution distribution
    );

    /// @notice The tokens of a resolved market were redeemed and the payout divided: the position is Settled.
    /// @param positionKey the position
    /// @param user its owner
    /// @param tokenUnits tokens booked as held until then, in token units; donations are redeemed with them, not
    /// counted
    /// @param distribution who got what
    event PositionSettled(
        bytes32 indexed positionKey,
        address indexed user,
        uint256 tokenUnits,
        Distribution distribution
    );

    /// @notice The remaining money or tokens of a finished position were handed out.
    /// @param positionKey the position
    /// @param user its owner
    /// @param userUsdcUnits the owner's part in USDC units; still in the account when PaymentDeferred names it too
    /// @param recoveredUsdcUnits to the pool for bad debt, in USDC units
    /// @param tokenUnits tokens sent to the owner, in token units; 0 when none were, or the owner refused them
    event Claimed(
        bytes32 indexed positionKey,
        address indexed user,
        uint256 userUsdcUnits,
        uint256 recoveredUsdcUnits,
        uint256 tokenUnits
    );

    /// @notice Principal of a position was booked as lost in the pool, at its end.
    /// @param positionKey the position
    /// @param usdcUnits the loss in USDC units
    event BadDebtBooked(bytes32 indexed positionKey, uint256 usdcUnits);

    /// @notice A user could not receive USDC: it stays in the position's account. There it counts as proceeds of the
    /// next sale, or claim hands it out once the position has ended.
    /// @param positionKey the position
    /// @param user who could not receive
    /// @param usdcUnits what stays, in USDC units
    event PaymentDeferred(bytes32 indexed positionKey, address indexed user, uint256 usdcUnits);

    /// @notice The quote signer was set, at deployment or later.
    /// @param quoteSigner who signs quotes from now on; zero: no signer
    event QuoteSignerChanged(address indexed quoteSigner);

    /// @notice The guardian was set, at deployment or later.
    /// @param guardian the guardian from now on; zero: no guardian
    event GuardianChanged(address indexed guardian);

    /// @notice A role was given or taken, at deployment or later; also when nothing changed by it.
    /// @param role which role
    /// @param account whose
    /// @param allowed whether the account holds it now
    event RoleChanged(Role indexed role, address indexed account, bool allowed);

    /// @notice A builder code was allowed or refused, at deployment or later; also when nothing changed by it.
    /// @param builder the code
    /// @param allowed whether orders may carry it now
    event BuilderChanged(bytes32 indexed builder, bool allowed);

    /// @notice It was said how many price signers an order needs, at deployment or later; also when nothing changed by
    /// it.
    /// @param threshold how many
    event PriceThresholdChanged(uint256 threshold);

    /// @notice An alarm was raised: until it ends, every order needs the consent of all price signers but one.
    /// @param endsAt when it ends, in Unix seconds
    event AlarmRaised(uint256 endsAt);

    /// @notice Opening was paused or resumed; also when nothing changed by it.
    /// @param paused whether it is paused now
    event OpeningPaused(bool paused);

    /// @notice An address that must exist is the zero address. Name the one you mean.
    error ZeroAddress();

    /// @notice setRole was called with Role.None. Name a role.
    error RoleRequired();

    /// @notice The guardian would leave no keeper. Have the owner add a successor first.
    /// @param role the role
    error LastOfRole(Role role);

    /// @notice An order would need fewer than two price signers, or more than there are: by the threshold asked for, or
    /// by the removal of a signer. Add a signer, or lower the threshold, first.
    /// @param threshold how many an order would need
    /// @param signers how many there would be
    error PriceThresholdOutOfRange(uint256 threshold, uint256 signers);

    /// @notice The guardian removed a price signer less than 7 days ago, and would now leave no more of them than an
    /// order needs. Wait, or have the owner add one first.
    /// @param notBefore the first moment of such a removal, in Unix seconds
    error RemovalTooSoon(uint256 notBefore);

    /// @notice An alarm is on, or ended less than 7 days ago. Wait; the guardian's removals work meanwhile.
    /// @param notBefore the first moment of the next alarm, in Unix seconds
    error AlarmTooSoon(uint256 notBefore);

    /// @notice Said by the constructor: the exchange, or a contract it names (USDC, ConditionalTokens, what redeems),
    /// is no contract; or some of PositionManager, router and oracle aggregator are given and this one is none. Name
    /// the venue's contracts, or none of those three.
    /// @param account the address without code
    error VenueWithoutCode(address account);

    /// @notice Said by the constructor: what the exchange trades against is no USDC, which has six decimals. Name
    /// another exchange.
    /// @param decimals those of the exchange's collateral
    error CollateralDecimals(uint256 decimals);

    /// @notice Said by the constructor: ConditionalTokens itself redeems, and pays a collateral other than the USDC
    /// that the exchange trades against. Name another exchange.
    /// @param ctfCollateral what a redemption would pay
    /// @param usdc what the exchange trades against
    error CollateralNotRedeemed(address ctfCollateral, address usdc);

    /// @notice Said by the constructor: PositionManager or router pay another collateral than the exchange, or router
    /// or oracle aggregator belong to another PositionManager. Name the three contracts of one venue.
    /// @param account the contract that does not fit
    error LedgerMismatch(address account);

    /// @notice The exchange's highest fee is 0, which means no limit there, or above 1,000 bps: it carries no vault,
    /// and nothing is opened on it. Wait until the venue has lowered it; every exit works meanwhile.
    /// @param feeRateBps the exchange's highest fee, in bps of the USDC traded
    error VenueFeeRateOutOfRange(uint256 feeRateBps);

    /// @notice The caller is no keeper. Call with a keeper's key.
    error NotKeeper();

    /// @notice The caller is neither guardian nor owner. Call as one of them.
    error NotGuardian();

    /// @notice The caller did not create this position, or it does not exist. Call as its owner, with its key.
    error NotPositionOwner();

    /// @notice An address would be two of keeper, price signer and quote signer. Choose another, or take the other role
    /// from it first.
    /// @param account the address
    error RolesNotSeparate(address account);

    /// @notice Opening is paused. Wait until the owner resumes it; every exit works meanwhile.
    error OpeningIsPaused();

    /// @notice The quoted token is not registered under the quoted market. Call registerOutcome first.
    error UnknownOutcome();

    /// @notice The outcome token is registered already. Use its id.
    /// @param outcomeId that id
    error OutcomeExists(uint32 outcomeId);

    /// @notice The oracle is not allow-listed. Only the owner can allow it.
    /// @param oracle the oracle asked for
    error OracleNotAllowed(address oracle);

    /// @notice The condition is not prepared with two outcomes, or the index set is neither 1 nor 2. Prepare it on
    /// ConditionalTokens, or correct the arguments.
    error ConditionNotBinary();

    /// @notice The vault was deployed without a PositionManager. Use registerOutcome, or another vault.
    error NoPositionManager();

    /// @notice The condition is not one of module 1, which decides binary conditions: 2 is negative risk, 3 are
    /// combinations, and others do not exist. No such outcome can be registered.
    /// @param moduleId the condition's first byte
    error ModuleNotBinary(uint256 moduleId);

    /// @notice The condition has no hash, or an arity, reserved bits, a resolution chain or a condition index, which
    /// native binary conditions have not; or the outcome index is neither 0 nor 1. Correct the arguments.
    error ConditionNotNative();

    /// @notice The PositionManager names no contract for the condition's module. Wait until the venue has named one.
    /// @param module the address without code
    error ModuleWithoutCode(address module);

    /// @notice The condition was migrated from ConditionalTokens, where its result is known first. Register its outcome
    /// there.
    error ConditionMigrated();

    /// @notice The oracle aggregator holds no request for this condition, or one for another module, so it would
    /// never be decided. Wait until the venue has made the request.
    /// @param target module that the request names; zero without a request
    error ConditionNotRequested(address target);

    /// @notice The quote's time is over. Ask for a new one.
    error SignatureExpired();

    /// @notice The quote would be good for more than 600 s from now. Submit it later, or ask for a shorter one.
    error SignatureTooFarAhead();

    /// @notice The signature is not the quote signer's over this request, caller, chain and vault. Submit the ten
    /// signed fields unchanged, from the wallet the quote was made for.
    error InvalidQuoteSignature();

    /// @notice This user's seed made a position before. Ask for a quote with another seed.
    /// @param positionKey that position
    error SeedUsed(bytes32 positionKey);

    /// @notice Leverage is outside 15,000 to 100,000 bps. Ask for another quote.
    error LeverageOutOfRange();

    /// @notice Collateral is under 1,000,000 USDC units, or collateral or notional over 1e14. Ask for another quote.
    error CollateralOutOfRange();

    /// @notice Notional is not exactly collateral × leverage. Ask for another quote.
    error NotionalMismatch();

    /// @notice A fee is above 500 (origination), 2,000 (lifetime) or 1,000 bps (liquidation). Ask for another quote.
    error FeeAboveMaximum();

    /// @notice The budget for the venue's fees is more than 10 % of the notional. Lower it.
    error VenueFeeAboveMaximum();

    /// @notice minPositionTokenUnits does not fit 48 bits, or minFillBps is outside 1 to 10,000. Correct it.
    error UserLimitOutOfRange();

    /// @notice The position's state does not allow this call or purpose. Read positionOf and choose what fits.
    /// @param state the state it is in
    error WrongState(PositionState state);

    /// @notice An order is outstanding. Wait until validUntil has passed. A keeper who renews orders locks no owner in:
    /// addMargin for the whole debt is taken beside a live order, without debt no unwind and no liquidation is granted,
    /// nor a close that was withdrawn, and exitByRepaying costs nothing more when the order has ended, within 60 s.
    /// @param validUntil the last moment it is live, in Unix seconds
    error OrderLive(uint256 validUntil);

    /// @notice The position is Open and no order is outstanding. There is nothing to do.
    error NothingToFinalize();

    /// @notice The position is Pending, not cancelled, and its open window of 300 s is not over. Wait, or cancel it as
    /// its owner.
    error NotFinalizableYet();

    /// @notice A signature over the attestation is not a price signer's for this chain and vault, or not that of a
    /// higher address than the one before it. Fetch one that is, and put them in the order of their signers.
    error InvalidAttestationSignature();

    /// @notice The signatures of the attestation are not as many, of 65 bytes each, as an order needs now. Ask as many
    /// price signers for theirs.
    /// @param required how many: priceThreshold; while an alarm is on all signers but one, where those are more
    error SignaturesRequired(uint256 required);

    /// @notice The attestation is for another market, token or purpose, or a grant's is for another position. Fetch the
    /// one for this order.
    error AttestationMismatch();

    /// @notice The attestation was observed more than 30 s ago, that of a grant more than 6 s ago, or in the future.
    /// Fetch a fresh one.
    error AttestationStale();

    /// @notice Mark or limit is outside 1 to 10,000 pips, the fee is over 10,000 bps or, but for Liquidate, the limit
    /// is more than 20 % of the mark away from it. Of a grant: the fee part is over 1,000 bps, or the limit more than
    /// 5 % (Open, Close without a price of the user's own), 10 % (Unwind) or 20 % (Liquidate, Close with one) of the
    /// mark away, or limit and fee part together more than 10 %, 15 % or 20 % worse than it. Fetch one that is not.
    error AttestationPriceOutOfRange();

    /// @notice The attested exit buffer is over 1,500 bps. Fetch one with a lower buffer.
    error AttestationBufferTooHigh();

    /// @notice The order's maker or signer is not the position's account, or its token, side or signature type is not
    /// that of the purpose. Build it again.
    error OrderMismatch();

    /// @notice The order carries a builder code that is not allowed. Use an allowed one, or the zero code.
    /// @param builder the code
    error BuilderNotAllowed(bytes32 builder);

    /// @notice The exchange knows this order already, filled or cancelled in part or whole, or gives it no hash. Choose
    /// another salt.
    /// @param orderHash its hash on the exchange
    error OrderUsed(bytes32 orderHash);

    /// @notice validUntil is in the past, or more than 120 s (openings) or 60 s (sales) ahead. Choose one between.
    error OrderValidityOutOfRange();

    /// @notice An amount of the order, grant or fill is 0, does not fit 48 bits, or is more or less than the position
    /// allows for this purpose, or more than a grant's attestation was computed for. Choose another size.
    error OrderAmountOutOfRange();

    /// @notice The order's price is worse than the attested limit, or than the user's own. Price it inside both.
    error OrderPriceTooPoor();

    /// @notice The user asked to cancel, so nothing more is bought. Finalize instead.
    error CancelWasRequested();

    /// @notice 300 s since creation are over, so nothing more is bought. Finalize instead.
    error OpenWindowOver();

    /// @notice The budget for the venue's fees, less what earlier opening orders used of it, does not cover the
    /// attested fee of this one, or the account's money does not cover a grant with its fee. Make it smaller.
    error VenueFeeTooSmall();

    /// @notice Filled wholly at its own price, and with all of its allowance taken, the order would lead to a
    /// liquidation price above the user's maximum or 99 % of the attested mark. Build one with a better price, or open
    /// nothing.
    /// @param liquidationPricePips that liquidation price, in pips
    /// @param maximumPips the lower one of the two maxima, in pips
    error UnhealthyAtOpening(uint256 liquidationPricePips, uint256 maximumPips);

    /// @notice At the limit of the grant, the loan would be more than 1 − 0.8 / leverage of what the tokens are worth
    /// at the attested mark. Fetch an attestation with a limit nearer to the mark, or open nothing.
    error LeverageAboveQuoted();

    /// @notice The outcome is one of the PositionManager, on whose exchange no account is a maker. Authorise a grant.
    error GrantRequired();

    /// @notice The PositionManager moved fewer tokens than the filler gives. Fill nothing until its owner has repaired
    /// it.
    error TokensNotDelivered();

    /// @notice The attestation is older than that of the position's last grant, or as old and for a purpose already
    /// served: each serves once. Fetch another.
    error AttestationUsed();

    /// @notice The grant's time is outside 6 to 20 s, or its last second is over. Fetch an attestation with another.
    error GrantTimeOutOfRange();

    /// @notice The condition has payouts, so no grant is given or filled any more: its price is known. Settle instead.
    /// Of the PositionManager also: it does not say that there are none. Wait until it answers.
    error OutcomeDecided();

    /// @notice No grant of this position is live: there is none, its time is over, or an alarm has stopped it. Wait for
    /// the next GrantAuthorized.
    error GrantNotLive();

    /// @notice None of the grants or fills that were asked for together could be carried out. Ask for one of them alone
    /// to learn the reason.
    error NothingDone();

    /// @notice The fill is worse for the position than the grant's price now, or brings fewer tokens than its user
    /// accepts. Ask quoteFill and give as much, or wait until the price has moved.
    error GrantPriceTooPoor();

    /// @notice The fill takes neither all that is left, nor at least a fifth of the grant and 5 tokens; or it would
    /// leave a position of less than 5 tokens; or it is the first of an opening and less than its user's least; or it
    /// is a part of a sale that must be whole. Fill more.
    error GrantPartTooSmall();

    /// @notice The caller is no price signer, keeper, guardian or owner. Call as one of them, or finalize when the
    /// grant is over.
    error NotGrantAuthority();

    /// @notice No grant of this position is outstanding. There is nothing to end.
    error NoGrant();

    /// @notice The user has not asked for a sale. Use another purpose, or wait for the user's request.
    error CloseNotRequested();

    /// @notice The sale would leave less than 5 tokens and more than dust. Sell everything, or leave at least 5 tokens.
    error RemainderTooSmall();

    /// @notice At the attested limit after the venue's fee (the attested one, or the exchange's highest where that is
    /// more; all of it where the exchange has no limit), the position's tokens are worth less than its debt; of a
    /// sale that leaves nothing but dust, those it sells. Wait for a better limit; a liquidation, and an unwind of
    /// everything with trigger 0, may sell all the same.
    error SaleBelowDebt();

    /// @notice The debt per token is not above the attested trigger, so no unwind is due. Wait.
    error NotTriggered();

    /// @notice The attested mark is above the liquidation price. Wait, or use another purpose.
    /// @param liquidationPricePips the liquidation price now, in pips
    error NotLiquidatable(uint256 liquidationPricePips);

    /// @notice The least price is over 10,000 pips, or the part is under 20 % of the original tokens or 5 tokens, or
    /// leaves less than 5 tokens. Ask for a part between, or for everything.
    error CloseOutOfRange();

    /// @notice No debt is left to repay, no principal to impair, or the payment is 0. There is nothing to do.
    error NothingOwed();

    /// @notice A liquidation has sold tokens and is not booked yet. Repay after finalize was called.
    error SaleNotBooked();

    /// @notice An outstanding order of the exchange would be ended by a contract, or inside another call, where an
    /// account in the middle of a match cannot be measured. Let a plain account call finalize as the sender of its
    /// transaction first.
    error InsideCall();

    /// @notice The condition has no payouts yet, or its ledger does not say which. Wait until its oracle has reported,
    /// and send more gas where it has.
    error NotResolved();

    /// @notice The account holds no USDC, and no tokens this caller could have. There is nothing to do.
    error NothingToClaim();

    /// @notice Registers an outcome token of a prepared binary condition, deriving condition and token id on chain.
    /// Anyone, once per token. The oracle must be allow-listed.
    /// @dev Reverts: OracleNotAllowed; ConditionNotBinary; OutcomeExists.
    /// @param oracle who resolves the condition
    /// @param questionId the oracle's question
    /// @param indexSet 1 for the condition's first outcome, 2 for the second
    /// @return outcomeId its number, counted from 1
    function registerOutcome(
        address oracle,
        bytes32 questionId,
        uint256 indexSet
    ) external returns (uint32 outcomeId);

    /// @notice Registers an outcome token of a native binary condition of the PositionManager, deriving its id on
    /// chain. Anyone, once per token. The oracle aggregator must hold a request for the condition.
    /// @dev Reverts: NoPositionManager; ModuleNotBinary; ConditionNotNative; ModuleWithoutCode; ConditionMigrated;
    /// ConditionNotRequested; OutcomeExists.
    /// @param conditionId the condition
    /// @param outcomeIndex 0 for the condition's first outcome, 1 for the second
    /// @return outcomeId its number, counted from 1 together with those of ConditionalTokens
    function registerManagedOutcome(bytes31 conditionId, uint256 outcomeIndex) external returns (uint32 outcomeId);

    /// @notice Creates a Pending position from a signed quote and takes collateral + origination fee + venue fee from
    /// the caller into the position's own account. Nothing is borrowed yet.
    /// @dev The vault needs the caller's allowance of USDC for the sum; the origination fee is ceil.
    /// Reverts: OpeningIsPaused; SeedUsed; SignatureExpired; SignatureTooFarAhead; InvalidQuoteSignature;
    /// LeverageOutOfRange; CollateralOutOfRange; NotionalMismatch; FeeAboveMaximum; VenueFeeAboveMaximum;
    /// UserLimitOutOfRange; UnknownOutcome.
    /// @param request the quote, and the user's own limits
    /// @param signature the quote signer's, 65 bytes over the EIP-191 message of the quote's digest
    /// @return positionKey the new position
    function createPosition(
        CreateRequest calldata request,
        bytes calldata signature
    ) external returns (bytes32 positionKey);

    /// @notice As createPosition; a permit that fails is ignored, because someone else may have used it already.
    /// @dev Reverts: as createPosition.
    /// @param request the quote, and the user's own limits
    /// @param signature the quote signer's, 65 bytes over the EIP-191 message of the quote's digest
    /// @param permit the caller's permit of USDC for this vault
    /// @return positionKey the new position
    function createPositionWithPermit(
        CreateRequest calldata request,
        bytes calldata signature,
        Permit calldata permit
    ) external returns (bytes32 positionKey);

    /// @notice Grants exactly one order to a position, after ending (and booking) the previous one. Keeper only.
    /// The first opening order deploys the account and borrows notional − collateral.
    /// @dev A refusal also undoes the ending of the previous order. An opening order may take
    /// min(makerAmount + what is left of the venue fee, balance − origination fee) USDC, a sale order the account's
    /// tokens. What a Close or Unwind has to cover reckons with the exchange's highest fee of now, when that is above
    /// the attested one.
    /// Reverts: NotKeeper; InsideCall; GasTooLow; WrongState; OpeningIsPaused; GrantRequired where grants alone
    /// trade. For the attestation: AttestationMismatch; AttestationStale; AttestationBufferTooHigh;
    /// AttestationPriceOutOfRange; SignaturesRequired; InvalidAttestationSignature. For the order: OrderMismatch;
    /// BuilderNotAllowed; OrderValidityOutOfRange; OrderAmountOutOfRange; OrderUsed. For an opening:
    /// CancelWasRequested; OpenWindowOver; OrderPriceTooPoor; VenueFeeRateOutOfRange; VenueFeeTooSmall;
    /// UnhealthyAtOpening; LiquidityExceeded; OutcomeCapExceeded. For a sale: RemainderTooSmall; OrderPriceTooPoor;
    /// NotLiquidatable; SaleBelowDebt; CloseNotRequested; NotTriggered.
    /// @param positionKey the position
    /// @param purpose Open while Pending; Close, Unwind or Liquidate while Open
    /// @param order the order as the exchange hashes it; its signature is ignored
    /// @param validUntil the last moment it is live, in Unix seconds; at most 120 s (openings) or 60 s (sales) ahead
    /// @param attestation the price signers' consent to this purpose and limit
    /// @param signatures exactly requiredSignatures() × 65 bytes, each over the EIP-712 digest of the attestation, in
    /// ascending order of the signers' addresses
    /// @return orderHash the order's hash on the exchange
    function authorizeOrder(
        bytes32 positionKey,
        Purpose purpose,
        IVenueExchange.Order calldata order,
        uint64 validUntil,
        PriceAttestation calldata attestation,
        bytes calldata signatures
    ) external returns (bytes32 orderHash);

    /// @notice Grants a position's one order to anyone, after ending (and booking) the previous one, of either route.
    /// Keeper only. The first opening grant deploys the account and borrows notional − collateral; no allowance is
    /// given.
    /// @dev Price at a time: (start × (validFor − t) + limit × t) / validFor, a fraction, where t is twice the seconds
    /// since the authorisation, at most validFor; fee part: venueFeeBps × t / validFor of the USDC traded. Start is the
    /// mark, or the limit where that is better for the position. What a Close or Unwind has to cover reckons with the
    /// attested fee part, which is all that leaves the limit. A sale below the debt (an unwind of everything with
    /// trigger 0) is filled whole or not at all. A refusal also undoes the ending of the previous order. Reverts:
    /// NotKeeper; InsideCall; GasTooLow; WrongState; OpeningIsPaused; OutcomeDecided.
    /// For the attestation: AttestationMismatch; AttestationStale; AttestationBufferTooHigh;
    /// AttestationPriceOutOfRange; GrantTimeOutOfRange; AttestationUsed; SignaturesRequired;
    /// InvalidAttestationSignature. For the size: OrderAmountOutOfRange. For an opening: CancelWasRequested;
    /// OpenWindowOver; VenueFeeTooSmall; UnhealthyAtOpening; LeverageAboveQuoted; LiquidityExceeded;
    /// OutcomeCapExceeded. For a sale: RemainderTooSmall; NotLiquidatable; SaleBelowDebt; CloseNotRequested;
    /// NotTriggered.
    /// @param positionKey the position
    /// @param purpose Open while Pending; Close, Unwind or Liquidate while Open
    /// @param mostUnits the most to trade: USDC units of an opening, fee part apart; token units of a sale
    /// @param attestation the price signers' consent to this purpose, limit and size
    /// @param signatures exactly requiredSignatures() × 65 bytes, each over the EIP-712 digest of the attestation, in
    /// ascending order of the signers' addresses
    function authorizeGrant(
        bytes32 positionKey,
        Purpose purpose,
        uint256 mostUnits,
        GrantAttestation calldata attestation,
        bytes calldata signatures
    ) external;

    /// @notice authorizeGrant for several sales of one token under one consent. Keeper only. A member that is refused
    /// costs only itself: GrantRefused says why, and an order that it has stands as before. A size of 0 refuses one.
    /// @dev The consent serves each member once; a member that is named again is refused. What the members have in
    /// common refuses the whole batch: outcome, purpose, signatures, age, times, a known result. An outcome of the
    /// PositionManager can take all gas of its own batch.
    /// Reverts: NotKeeper; UnknownOutcome; AttestationMismatch for a purpose that is no sale, or another number of
    /// sizes; SignaturesRequired; InvalidAttestationSignature; AttestationStale; GrantTimeOutOfRange; OutcomeDecided;
    /// NothingDone when no member was granted.
    /// @param batch the price signers' consent to all members
    /// @param sizes the most that each member sells, in token units, in the order of the members
    /// @param signatures exactly requiredSignatures() × 65 bytes, each over the EIP-712 digest of the batch, in
    /// ascending order of the signers' addresses
    /// @return grantedCount the members that were granted
    function authorizeMany(
        GrantBatch calldata batch,
        uint256[] calldata sizes,
        bytes calldata signatures
    ) external returns (uint256 grantedCount);

    /// @notice Fills a live grant. Anyone. Of an opening the caller gives tokens and takes USDC, of a sale the reverse;
    /// both amounts are the most, cut to what is left of the grant at the caller's own ratio. The fill that leaves at
    /// most 1 % of an opening grant, or dust of a sale, ends the grant as finalize does.
    /// @dev The vault needs the caller's approval of tokens, or allowance of USDC. Without data they are pulled before
    /// the caller is paid; with data the caller is paid, called (IGrantFiller.onGrantFill), and they are pulled then.
    /// Tokens and USDC move from and to the caller alone. A purchase pays floor, a sale brings ceil. A fill takes all
    /// that is left, or at least a fifth of the grant and 5 tokens, and leaves no position of less than 5 tokens; the
    /// first purchase of a position is at least minFillBps of the notional (10,000: 99 %) and 5 tokens.
    /// Reverts: GrantNotLive; OpeningIsPaused; OrderAmountOutOfRange; OutcomeDecided; NotLiquidatable when the mark of
    /// a liquidation is above the liquidation price of now; GrantPriceTooPoor; GrantPartTooSmall; TokensNotDelivered;
    /// GasTooLow.
    /// @param positionKey the position
    /// @param giveUnits the most the caller gives: token units of an opening, USDC units of a sale
    /// @param takeUnits the most the caller takes for all of that: USDC units of an opening, token units of a sale
    /// @param data the caller's own, for its callback; empty: no callback
    /// @return givenUnits what the caller gave
    /// @return takenUnits what the caller took
    function fill(
        bytes32 positionKey,
        uint256 giveUnits,
        uint256 takeUnits,
        bytes calldata data
    ) external returns (uint256 givenUnits, uint256 takenUnits);

    /// @notice fill for each of several grants, without a callback. Anyone. A fill that is refused costs only itself
    /// and the gas it took; so does one whose end is refused.
    /// @dev Reverts: NothingDone when none was filled.
    /// @param fills what to fill
    /// @return filledCount the grants of which something was filled
    function fillMany(GrantFill[] calldata fills) external returns (uint256 filledCount);

    /// @notice Ends an outstanding grant at once: what was filled of an opening counts for the next order or finalize,
    /// what was sold is booked. Any one price signer, a keeper, the guardian or the owner.
    /// @dev For a mark that has left the price path. Reverts: NotGrantAuthority; NoGrant; GasTooLow.
    /// @param positionKey the position
    function endGrant(bytes32 positionKey) external;

    /// @notice Ends the live order, measures what the account holds, pays, moves the state. Keeper at any time;
    /// anyone when no order is live and the position is Open, cancelled, or past its open window. While an order of
    /// the exchange is outstanding, this and whatever else would end it is for the sender of a transaction alone:
    /// inside a match nothing can be measured.
    /// @dev Total: no answer of the exchange, no donation and no receiver who refuses makes it revert. A
    /// PositionManager that does not answer does, but for an opening of which nothing was filled.
    /// Reverts: WrongState; NothingToFinalize; OrderLive; NotFinalizableYet; InsideCall; GasTooLow.
    /// @param positionKey the position
    function finalize(bytes32 positionKey) external;

    /// @notice finalize for each key that has something to do for this caller; the others are skipped.
    /// @dev Unknown keys are skipped too, and a key named twice counts once. Reverts: GasTooLow.
    /// @param positionKeys the positions
    function finalizeMany(bytes32[] calldata positionKeys) external;

    /// @notice Cancels a Pending position: at once when no order is live (and, beside an expired one, the caller sent
    /// the transaction), else as soon as it ends and anyone finalizes. What was filled until then opens.
    /// @dev Reverts: NotPositionOwner; WrongState; GasTooLow.
    /// @param positionKey the position
    function cancelPosition(bytes32 positionKey) external;

    /// @notice Asks for the sale of all tokens (tokenUnits at least what is held) or of a part of at least 20 % of the
    /// original and 5 tokens that leaves at least 5 tokens; 0 withdraws the request. Position owner only.
    /// @dev A request to the keeper, who may serve it in parts. What is sold by it pays its share of principal and
    /// fees, ceil. Reverts: NotPositionOwner; WrongState; CloseOutOfRange.
    /// @param positionKey the position
    /// @param tokenUnits tokens to sell, in token units
    /// @param minPricePips the least price of the sale, before the venue's fee, in pips; at most 10,000
    function requestClose(bytes32 positionKey, uint256 tokenUnits, uint256 minPricePips) external;

    /// @notice Pays lifetime fees, then principal, from the owner's wallet; never takes more than is owed. Refused
    /// while tokens sold by a liquidation wait to be booked: what that sale repays carries the liquidation fee.
    /// @dev The vault needs the caller's allowance of USDC. Fees accrue until now, ceil.
    /// Reverts: NotPositionOwner; WrongState; SaleNotBooked; NothingOwed.
    /// @param positionKey the position
    /// @param usdcUnits the most to repay, in USDC units
    /// @return paidUsdcUnits what was taken, in USDC units
    function addMargin(bytes32 positionKey, uint256 usdcUnits) external returns (uint256 paidUsdcUnits);

    /// @notice Repays all that is owed from the owner's wallet and sends the tokens to `to`. Needs no keeper, price or
    /// venue. When an expired order had sold everything, the position ends by that sale instead and nothing is taken.
    /// @dev The vault needs the caller's allowance of USDC for principal and fees (ceil). USDC in the
    /// account goes to the owner. A receiver of the tokens who refuses them makes it revert.
    /// Reverts: NotPositionOwner; WrongState; ZeroAddress; OrderLive; InsideCall; GasTooLow.
    /// @param positionKey the position
    /// @param to who receives all tokens of the account
    function exitByRepaying(bytes32 positionKey, address to) external;

    /// @notice Redeems a resolved outcome and divides the payout. Anyone, once payouts are known.
    /// @dev An outstanding order is ended first, also a live one; when no tokens are left by it, the position ends as
    /// by finalize. All tokens of the account are redeemed, donations included. An outcome that pays nothing is not
    /// redeemed, so that no redeemer can keep its loss off the book: its tokens stay in the account. Principal that the
    /// payout does not cover is bad debt, unpaid fees are forgone.
    /// Reverts: WrongState; NotResolved; InsideCall; GasTooLow.
    /// @param positionKey the position, Pending or Open
    function settle(bytes32 positionKey) external;

    /// @notice Hands out what reached the account of a finished position: USDC first to booked bad debt, then to the
    /// owner, from any caller; tokens left over to the owner when the owner calls and no bad debt is left: nothing is
    /// pushed at anyone.
    /// @dev Reverts: WrongState; NothingToClaim; GasTooLow.
    /// @param positionKey the position
    function claim(bytes32 positionKey) external;

    /// @notice Marks the loan of a position as impaired: the pool's exit price leaves it out at once, its entry price
    /// does not. Or clears the mark. Guardian or owner set, the owner alone clears.
    /// @dev For a loss that everybody sees and nothing has booked yet. The position is untouched, whatever order is
    /// live; what it repays or loses leaves the mark by itself. Doing it twice changes nothing.
    /// Reverts: OwnableUnauthorizedAccount; WrongState; NothingOwed without principal.
    /// @param positionKey the position
    /// @param on whether its loan is impaired from now on
    function impair(bytes32 positionKey, bool on) external;

    /// @notice Stops new positions and new opening orders. Guardian or owner.
    /// @dev Orders that are outstanding already are not ended by it. Reverts: NotGuardian.
    function pauseOpening() external;

    /// @notice Ends the pause. Owner only.
    /// @dev Reverts: OwnableUnauthorizedAccount.
    function resumeOpening() external;

    /// @notice Raises the alarm: for 6 h every attestation needs the signatures of all price signers but one, and never
    /// fewer than priceThreshold. Orders granted before are no longer signed for and may be ended by anyone. Guardian
    /// or owner; not again until 7 days after.
    /// @dev No halt: one signer may be away and every order can still be granted, and finalize, cancelPosition,
    /// addMargin, exitByRepaying, settle and claim notice nothing. Reverts: NotGuardian; AlarmTooSoon.
    function raiseAlarm() external;

    /// @notice Says how many price signers an order needs outside an alarm. Owner only.
    /// @dev Reverts: OwnableUnauthorizedAccount; PriceThresholdOutOfRange.
    /// @param threshold at least 2, at most the number of price signers
    function setPriceThreshold(uint256 threshold) external;

    /// @notice Sets the quote signer, which makes every older quote invalid. Owner; the guardian may set zero.
    /// @dev Reverts: OwnableUnauthorizedAccount; RolesNotSeparate.
    /// @param quoteSigner who signs quotes from now on; zero: no signer
    function setQuoteSigner(address quoteSigner) external;

    /// @notice Sets the guardian. Owner only.
    /// @dev Reverts: OwnableUnauthorizedAccount.
    /// @param guardian the guardian from now on; zero: no guardian
    function setGuardian(address guardian) external;

    /// @notice Adds or removes a keeper, price signer or oracle. Owner; the guardian may remove a keeper but the last
    /// one, or a price signer: liquidations go on. No removal leaves fewer price signers than an order needs, and none
    /// of the guardian's within 7 days of another as few.
    /// @dev Reverts: OwnableUnauthorizedAccount; RoleRequired; ZeroAddress; RolesNotSeparate; LastOfRole;
    /// PriceThresholdOutOfRange; RemovalTooSoon.
    /// @param role Keeper, PriceSigner or Oracle
    /// @param account whose
    /// @param allowed whether the account holds it from now on
    function setRole(Role role, address account, bool allowed) external;

    /// @notice Allows a builder code in orders; the zero code (no builder fee) is always allowed. Owner only.
    /// @dev Reverts: OwnableUnauthorizedAccount.
    /// @param builder the code
    /// @param allowed whether orders may carry it from now on
    function setBuilder(bytes32 builder, bool allowed) external;

    /// @notice Returns whether an order hash is the live order of a position and still valid.
    /// @param positionKey the position
    /// @param orderHash the order's hash on the exchange
    /// @return live whether it is the outstanding order, block.timestamp <= validUntil, and no alarm is on that was
    /// raised after it was granted; false for every hash while the order is a grant
    function isLiveOrder(bytes32 positionKey, bytes32 orderHash) external view returns (bool live);

    /// @notice keccak256(abi.encode(chain id, vault, user, first 12 bytes of the seed)).
    /// @param user who creates the position
    /// @param positionSeed the quote's seed; its last 4 bytes change nothing
    /// @return positionKey the key, whether or not there is such a position
    function positionKeyOf(address user, bytes16 positionSeed) external view returns (bytes32 positionKey);

    /// @notice The account of a position, deployed or not.
    /// @param positionKey the position
    /// @return account its address, which depends on vault and key alone
    function accountOf(bytes32 positionKey) external view returns (address account);

    /// @notice A position as it is now.
    /// @param positionKey the position
    /// @return position all zero when there is none with this key
    function positionOf(bytes32 positionKey) external view returns (Position memory position);

    /// @notice The order last authorised and not yet ended; it is live while block.timestamp <= validUntil.
    /// @param positionKey the position
    /// @return order all zero when no order is outstanding; without a hash when it is a grant
    function liveOrderOf(bytes32 positionKey) external view returns (LiveOrder memory order);

    /// @notice The grant last authorised and not yet ended; it is live while block.timestamp <= endsAt.
    /// @param positionKey the position
    /// @return grant all zero when no grant is outstanding
    function grantOf(bytes32 positionKey) external view returns (LiveGrant memory grant);

    /// @notice Result of a fill now that takes as much as the price allows.
    /// @param positionKey the position
    /// @param giveUnits the most the filler gives: token units of an opening, USDC units of a sale
    /// @return givenUnits what it would give, at most giveUnits; 0 when no such fill is accepted now
    /// @return takenUnits what it would take; 0 when no such fill is accepted now
    function quoteFill(
        bytes32 positionKey,
        uint256 giveUnits
    ) external view returns (uint256 givenUnits, uint256 takenUnits);

    /// @notice Principal and lifetime fees owed now; of an ended position its bad debt.
    /// @param positionKey the position
    /// @return principalUsdcUnits the loan not repaid, or the bad debt not recovered, in USDC units
    /// @return lifetimeFeeUsdcUnits pending and accrued, in USDC units, ceil; 0 unless Open
    function debtOf(
        bytes32 positionKey
    ) external view returns (uint256 principalUsdcUnits, uint256 lifetimeFeeUsdcUnits);

    /// @notice Liquidation price now, floor; 0 unless Open, and without principal.
    /// @dev floor(threshold × 1e4 / tokens); it may be above 10,000.
    /// @param positionKey the position
    /// @return pricePips a mark at or under it allows a liquidation, in pips
    function liquidationPriceOf(bytes32 positionKey) external view returns (uint256 pricePips);

    /// @notice Value at a mark, the threshold it is compared with, and whether that mark allows a liquidation.
    /// @param positionKey the position
    /// @param markPips a price of the token, in pips
    /// @return valueUsdcUnits tokens booked as held × mark, in USDC units, floor
    /// @return thresholdUsdcUnits debt × (1 + liquidation fee + exit buffer), in USDC units, ceil; 0 unless Open, and
    /// without principal
    /// @return liquidatable whether the mark is above 0 and at or under the liquidation price
    function healthOf(
        bytes32 positionKey,
        uint256 markPips
    ) external view returns (uint256 valueUsdcUnits, uint256 thresholdUsdcUnits, bool liquidatable);

    /// @notice A registered outcome.
    /// @param outcomeId its number
    /// @return outcome all zero when not registered
    function outcomeOf(uint32 outcomeId) external view returns (Outcome memory outcome);

    /// @notice Id of a registered outcome, 0 when not registered.
    /// @param venueMarketId condition id of the market
    /// @param venueTokenId ERC-1155 id of the token
    /// @return outcomeId its number, counted from 1
    function outcomeIdOf(bytes32 venueMarketId, uint256 venueTokenId) external view returns (uint32 outcomeId);

    /// @notice Returns whether an address holds a role.
    /// @param role which role
    /// @param account whose
    /// @return allowed whether the account holds it
    function hasRole(Role role, address account) external view returns (bool allowed);

    /// @notice Number of price signers that an order needs outside an alarm.
    /// @return threshold at least 2, at most priceSignerCount
    function priceThreshold() external view returns (uint256 threshold);

    /// @notice Number of all price signers: an order needs all but one of them while an alarm is on.
    /// @return signers how many
    function priceSignerCount() external view returns (uint256 signers);

    /// @notice Number of signatures that authorizeOrder and authorizeGrant take now.
    /// @return signatures priceThreshold; while an alarm is on max(priceThreshold, priceSignerCount − 1)
    function requiredSignatures() external view returns (uint256 signatures);

    /// @notice End of the last alarm, which is on while block.timestamp is below.
    /// @return endsAt in Unix seconds; 0 before the first one
    function alarmEndsAt() external view returns (uint256 endsAt);

    /// @notice Returns whether a builder code may stand in an order.
    /// @param builder the code
    /// @return allowed true for the zero code always
    function isBuilderAllowed(bytes32 builder) external view returns (bool allowed);

    /// @notice The signer of quotes.
    /// @return signer zero when no quote is valid
    function quoteSigner() external view returns (address signer);

    /// @notice The guardian.
    /// @return guardianAddress zero when there is none
    function guardian() external view returns (address guardianAddress);

    /// @notice Returns whether opening is paused.
    /// @return paused whether new positions and opening orders are refused
    function openingPaused() external view returns (bool paused);

    /// @notice The highest origination fee a quote may carry, in bps of the notional; fixed for ever.
    /// @return feeBps in bps
    function maxOriginationFeeBps() external view returns (uint256 feeBps);

    /// @notice EIP-712 domain separator of attestations.
    /// @return separator computed for the chain id of now
    function domainSeparator() external view returns (bytes32 separator);

    /// @notice The pool that lends.
    /// @return poolAddress the pool, deployed by the vault
    function pool() external view returns (address poolAddress);

    /// @notice The code behind every position account.
    /// @return implementation what every account is a clone of
    function accountImplementation() external view returns (address implementation);

    /// @notice USDC.
    /// @return usdcAddress the token all money is in
    function usdc() external view returns (address usdcAddress);

    /// @notice ConditionalTokens.
    /// @return conditionalTokensAddress the contract that holds outcome tokens of Ledger.ConditionalTokens
    function conditionalTokens() external view returns (address conditionalTokensAddress);

    /// @notice Collateral token that goes into token ids.
    /// @return collateralAddress USDC, or its wrapper
    function ctfCollateral() external view returns (address collateralAddress);

    /// @notice Contract whose redeemPositions turns tokens of ConditionalTokens into USDC.
    /// @return redeemerAddress ConditionalTokens, or the wrapper's adapter
    function redeemer() external view returns (address redeemerAddress);

    /// @notice Contracts behind the outcomes of Ledger.PositionManager; all zero in a vault without that ledger.
    /// @return positionManager the contract that holds their tokens
    /// @return positionRouter the contract whose redeem turns those into USDC
    /// @return oracleAggregator the contract that knows which of their conditions will be decided
    function managedContracts()
        external
        view
        returns (address positionManager, address positionRouter, address oracleAggregator);

    /// @notice The venue's exchange.
    /// @return exchangeAddress the one contract that an order of route Direct lets move an account's money
    function exchange() external view returns (address exchangeAddress);
}
