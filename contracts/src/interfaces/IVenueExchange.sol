// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IVenueExchange
/// @notice The venue's exchange, as far as the vault reads it and its operators and users call it. The vault never
/// calls anything of it that moves money.
/// @dev Amounts are in units: USDC has 6 decimals, tokens too. An order has no expiry and its maker cannot cancel it.
interface IVenueExchange {
    /// @notice An order as the exchange hashes it. Every typed field but `signature` is part of the order hash.
    /// @dev side 0 buys tokens with USDC, 1 sells tokens for USDC; signatureType 3 is ERC-1271 of the maker contract.
    struct Order {
        /// Distinguishes orders that are the same otherwise.
        uint256 salt;
        /// Account whose money it moves: that of the position.
        address maker;
        /// Consenting account: the same.
        address signer;
        /// ERC-1155 id of the outcome token.
        uint256 tokenId;
        /// The most it gives: USDC units when it buys, token units when it sells.
        uint256 makerAmount;
        /// The least it takes for all of that: token units when it buys, USDC units when it sells.
        uint256 takerAmount;
        /// 0 or 1, as above.
        uint8 side;
        /// Kind of the signer's consent; 3 for accounts.
        uint8 signatureType;
        /// Time of its creation, in Unix milliseconds; the vault reads nothing from it.
        uint256 timestamp;
        /// Free for the maker; the vault reads nothing from it.
        bytes32 metadata;
        /// Builder code, which may carry a fee; zero for none.
        bytes32 builder;
        /// Ignored by accounts.
        bytes signature;
    }

    /// @notice A part of an order was filled.
    /// @param orderHash its hash
    /// @param maker whose order it is
    /// @param taker the account on the other side: the taker of the match, or the exchange where the order itself took
    /// @param side 0 bought, 1 sold
    /// @param tokenId the token traded
    /// @param makerAmountFilled what the order's remaining amount moved by, without the fee
    /// @param takerAmountFilled what it received, without the fee
    /// @param fee in USDC units, on top of a purchase and out of a sale
    /// @param builder the order's
    /// @param metadata the order's
    event OrderFilled(
        bytes32 indexed orderHash,
        address indexed maker,
        address indexed taker,
        uint8 side,
        uint256 tokenId,
        uint256 makerAmountFilled,
        uint256 takerAmountFilled,
        uint256 fee,
        bytes32 builder,
        bytes32 metadata
    );

    /// @notice A match was settled.
    /// @param takerOrderHash hash of the order that took
    /// @param takerOrderMaker whose order that is
    /// @param side 0 bought, 1 sold
    /// @param tokenId the token it traded
    /// @param makerAmountFilled what its remaining amount moved by
    /// @param takerAmountFilled what it received, without the fee
    event OrdersMatched(
        bytes32 indexed takerOrderHash,
        address indexed takerOrderMaker,
        uint8 side,
        uint256 tokenId,
        uint256 makerAmountFilled,
        uint256 takerAmountFilled
    );

    /// @notice A fee was taken.
    /// @param receiver who receives it
    /// @param amount in USDC units
    event FeeCharged(address indexed receiver, uint256 amount);

    /// @notice An order may be filled with an empty signature from now on.
    /// @param orderHash its hash
    event OrderPreapproved(bytes32 indexed orderHash);

    /// @notice An order may no longer be filled with an empty signature.
    /// @param orderHash its hash
    event OrderPreapprovalInvalidated(bytes32 indexed orderHash);

    /// @notice A user stops the filling of their orders.
    /// @param user the user
    /// @param effectivePauseBlock the block from which on nothing of theirs is filled
    event UserPaused(address indexed user, uint256 effectivePauseBlock);

    /// @notice A user lets their orders be filled again.
    /// @param user the user
    event UserUnpaused(address indexed user);

    /// @notice The caller may not match.
    error NotOperator();
    /// @notice A match without makers.
    error NoMakerOrders();
    /// @notice Makers, their amounts and their fees are not as many.
    error MismatchedArrayLengths();
    /// @notice A token is not of the condition named, or not the one its match needs.
    error MismatchedTokenIds();
    /// @notice An order that gives nothing.
    error ZeroMakerAmount();
    /// @notice Neither a valid signature nor, where it is empty, an advance approval.
    error InvalidSignature();
    /// @notice The maker of an order is paused.
    error UserIsPaused();
    /// @notice A user who has asked for a pause asks again.
    error UserAlreadyPaused();
    /// @notice Nothing is left of the order.
    error OrderAlreadyFilled();
    /// @notice More than is left of the order.
    error MakingGtRemaining();
    /// @notice The prices of two orders do not meet.
    error NotCrossing();
    /// @notice The makers give the taker less than its price asks for.
    error TooLittleTokensReceived();
    /// @notice Makers on the other side took more than the fill of the taker's order.
    error ComplementaryFillExceedsTakerFill();
    /// @notice A fee above the highest rate.
    error FeeExceedsMaxRate();
    /// @notice A fee above what a sale brings.
    error FeeExceedsProceeds();

    /// @notice Matches an order with orders that rest. Only operators.
    /// @dev Direct, when all makers are on the other side: money and tokens go straight across, the taker's order moves
    /// by what its makers really took, and that is at most `takerFillAmount`. With a maker on the same side a pair is
    /// minted (both buy) or merged (both sell): the taker's order moves by all of `takerFillAmount`, and what was not
    /// needed comes back. What a maker takes is floor(fill × takerAmount / makerAmount); a surplus is the taker's.
    /// @param conditionId of both tokens
    /// @param takerOrder the order that takes
    /// @param makerOrders the orders that rest
    /// @param takerFillAmount what the taker gives at most (direct) or gives first (mint, merge)
    /// @param makerFillAmounts what each maker gives
    /// @param takerFeeAmount USDC: on top of a purchase, out of a sale
    /// @param makerFeeAmounts the makers' fees, in the same way
    function matchOrders(
        bytes32 conditionId,
        Order calldata takerOrder,
        Order[] calldata makerOrders,
        uint256 takerFillAmount,
        uint256[] calldata makerFillAmounts,
        uint256 takerFeeAmount,
        uint256[] calldata makerFeeAmounts
    ) external;

    /// @notice Lets an order be filled with an empty signature, whatever its maker does later. Only operators.
    /// @param order the order, with a signature that is valid now
    function preapproveOrder(Order calldata order) external;

    /// @notice Takes an advance approval back. Only operators.
    /// @param orderHash the order's hash
    function invalidatePreapprovedOrder(bytes32 orderHash) external;

    /// @notice Stops the filling of the caller's own orders, from `userPauseBlockInterval` blocks later on.
    function pauseUser() external;

    /// @notice Lets the caller's orders be filled again, at once.
    function unpauseUser() external;

    /// @notice Blocks between a user's pause and its effect.
    /// @return blocks how many
    function userPauseBlockInterval() external view returns (uint256 blocks);

    /// @notice The block from which on a user's orders are not filled.
    /// @param user the user
    /// @return blockNumber 0 for a user who has not asked for a pause
    function userPausedBlockAt(address user) external view returns (uint256 blockNumber);

    /// @notice Returns whether a user's orders are not filled now.
    /// @param user the user
    /// @return paused whether
    function isUserPaused(address user) external view returns (bool paused);

    /// @notice Returns whether an account may match.
    /// @param account the account
    /// @return allowed whether
    function isOperator(address account) external view returns (bool allowed);

    /// @notice Receiver of all fees.
    /// @return receiver the account
    function getFeeReceiver() external view returns (address receiver);

    /// @notice EIP-712 hash of an order; `signature` is not part of it.
    /// @param order the order
    /// @return orderHash what the exchange knows it by
    function hashOrder(Order calldata order) external view returns (bytes32 orderHash);

    /// @notice Fill status of an order.
    /// @param orderHash its hash
    /// @return filled whether the order is completely filled
    /// @return remaining unfilled part of makerAmount; 0 with filled = false means unused
    function getOrderStatus(bytes32 orderHash) external view returns (bool filled, uint248 remaining);

    /// @notice The USDC the exchange trades against.
    /// @return collateral the token
    function getCollateral() external view returns (address collateral);

    /// @notice The ConditionalTokens contract whose tokens the exchange trades.
    /// @return conditionalTokens the contract
    function getCtf() external view returns (address conditionalTokens);

    /// @notice The collateral ConditionalTokens derives token ids from. Not the one traded against where the venue
    /// wraps it.
    /// @return ctfCollateral the token
    function getCtfCollateral() external view returns (address ctfCollateral);

    /// @notice Contract that turns USDC into pairs of tokens, pairs into USDC and decided tokens into USDC:
    /// ConditionalTokens itself, or an adapter with the same calls.
    /// @return outcomeTokenFactory the contract
    function getOutcomeTokenFactory() external view returns (address outcomeTokenFactory);

    /// @notice The highest fee an operator may charge, in bps of the USDC traded. 0 means no limit at all.
    /// @return feeRateBps in bps
    function getMaxFeeRate() external view returns (uint256 feeRateBps);
}
