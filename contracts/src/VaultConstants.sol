// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Every number the vault and its rules fix for ever, in one place.

uint256 constant BPS = 10_000;
uint256 constant PIPS = 10_000;

uint256 constant MIN_LEVERAGE_BPS = 15_000;
uint256 constant MAX_LEVERAGE_BPS = 100_000;
uint256 constant MIN_COLLATERAL_USDC_UNITS = 1_000_000;
/// @dev A hundred million USD: far above any cap, and no figure of a position can leave its 48 bits.
uint256 constant MAX_NOTIONAL_USDC_UNITS = 1e14;

uint256 constant MAX_ORIGINATION_FEE_BPS = 500;
uint256 constant MAX_LIFETIME_FEE_APR_BPS = 2_000;
uint256 constant MAX_LIQUIDATION_FEE_BPS = 1_000;
/// @dev Of the notional (the budget of a position) and of the USDC traded (the exchange's own maximum).
uint256 constant MAX_VENUE_FEE_BPS = 1_000;

uint256 constant QUOTE_WINDOW = 600 seconds;
uint256 constant OPEN_WINDOW = 300 seconds;
uint256 constant OPEN_ORDER_WINDOW = 120 seconds;
uint256 constant SALE_ORDER_WINDOW = 60 seconds;
uint256 constant ATTESTATION_AGE = 30 seconds;
/// @dev Anyone may take a grant at its price, which must be younger than an order's.
uint256 constant GRANT_ATTESTATION_AGE = 6 seconds;
/// @dev Time in which a grant can be filled.
uint256 constant MIN_GRANT_TIME = 6 seconds;
uint256 constant MAX_GRANT_TIME = 20 seconds;
/// @dev The price path takes the first half of that time: a filler that pays spread and fee has blocks left after it.
uint256 constant GRANT_PATH_DIVISOR = 2;
/// @dev Time over which the pool releases income to its share price.
uint256 constant INCOME_RELEASE = 7 days;
/// @dev Time for which an attestation needs all price signers but one, and time afterwards without a next alarm.
uint256 constant ALARM_TIME = 6 hours;
uint256 constant ALARM_PAUSE = 7 days;
uint256 constant YEAR = 365 days;

uint256 constant MAX_EXIT_BUFFER_BPS = 1_500;
uint256 constant MAX_BAND_BPS = 2_000;
/// @dev Bands of a grant's limit around its mark: at its end the limit is the price, no book improves it.
uint256 constant GRANT_BAND_BPS = 500;
uint256 constant GRANT_UNWIND_BAND_BPS = 1_000;
/// @dev Bands of limit and fee part together: the fee of a venue that a filler pays is up to 7 % of a sale.
uint256 constant GRANT_COST_BPS = 1_000;
uint256 constant GRANT_UNWIND_COST_BPS = 1_500;
/// @dev Both bands of a liquidation, and of a close with a price of the user's own, which bounds it as well.
uint256 constant GRANT_WIDE_BAND_BPS = 2_000;
/// @dev At its limit an opening grant leaves this part of the collateral's share of its tokens at the mark.
uint256 constant OPENING_EQUITY_BPS = 8_000;
/// @dev An atomic opening order is at least this part of the notional: sizes have two decimals.
uint256 constant ATOMIC_FILL_BPS = 9_900;
/// @dev At the opening the liquidation price stays at least 1 % under the attested mark.
uint256 constant OPENING_MARK_BPS = 9_900;

/// @dev Fewer tokens than one cent of a token are dust: a position holding less is finished.
uint256 constant DUST_TOKEN_UNITS = 10_000;
/// @dev The venue's smallest order: no sale may leave less than this unless it leaves dust.
uint256 constant MIN_ORDER_TOKEN_UNITS = 5_000_000;
/// @dev The smallest part of the original tokens a user may ask to close: one fifth.
uint256 constant MIN_CLOSE_DIVISOR = 5;

/// @dev The smallest fill of a grant that leaves a rest: one fifth of it, so that five fills end any grant.
uint256 constant MIN_FILL_DIVISOR = 5;
/// @dev An opening grant with at most a hundredth left is done: sizes have two decimals.
uint256 constant GRANT_REST_DIVISOR = 100;

/// @dev An order needs the consent of at least so many price signers.
uint256 constant MIN_PRICE_THRESHOLD = 2;
uint256 constant SIGNATURE_BYTES = 65;

uint8 constant SIDE_BUY = 0;
uint8 constant SIDE_SELL = 1;
uint8 constant SIGNATURE_TYPE_ERC1271 = 3;
