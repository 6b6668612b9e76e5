// Written by packages/sdk/generate/main.ts; do not edit.
/** Functions of the vault that the client calls or reads. */
export const ownerAbi = [
  {"inputs":[{"name":"positionKey","type":"bytes32"},{"name":"usdcUnits","type":"uint256"}],"name":"addMargin","outputs":[{"name":"paidUsdcUnits","type":"uint256"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"name":"positionKey","type":"bytes32"}],"name":"cancelPosition","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"name":"positionKey","type":"bytes32"}],"name":"claim","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"components":[{"name":"positionSeed","type":"bytes16"},{"name":"venueMarketId","type":"bytes32"},{"name":"venueTokenId","type":"uint256"},{"name":"collateralUsdcUnits","type":"uint256"},{"name":"leverageBps","type":"uint32"},{"name":"notionalUsdcUnits","type":"uint256"},{"name":"originationFeeBps","type":"uint16"},{"name":"lifetimeFeeAprBps","type":"uint16"},{"name":"liquidationFeeBps","type":"uint16"},{"name":"signatureExpiry","type":"uint256"},{"name":"venueFeeUsdcUnits","type":"uint256"},{"name":"minPositionTokenUnits","type":"uint256"},{"name":"maxLiquidationPricePips","type":"uint32"},{"name":"minFillBps","type":"uint16"}],"name":"request","type":"tuple"},{"name":"signature","type":"bytes"}],"name":"createPosition","outputs":[{"name":"positionKey","type":"bytes32"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"name":"positionKey","type":"bytes32"}],"name":"debtOf","outputs":[{"name":"principalUsdcUnits","type":"uint256"},{"name":"lifetimeFeeUsdcUnits","type":"uint256"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"name":"positionKey","type":"bytes32"},{"name":"to","type":"address"}],"name":"exitByRepaying","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[],"name":"openingPaused","outputs":[{"name":"","type":"bool"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"name":"positionKey","type":"bytes32"}],"name":"positionOf","outputs":[{"components":[{"name":"user","type":"address"},{"name":"state","type":"uint8"},{"name":"outcomeId","type":"uint32"},{"name":"originationFeeBps","type":"uint16"},{"name":"lifetimeFeeAprBps","type":"uint16"},{"name":"liquidationFeeBps","type":"uint16"},{"name":"maxLiquidationPricePips","type":"uint16"},{"name":"minFillBps","type":"uint16"},{"name":"exitBufferBps","type":"uint16"},{"name":"closeMinPricePips","type":"uint16"},{"name":"cancelRequested","type":"bool"},{"name":"createdAt","type":"uint40"},{"name":"since","type":"uint40"},{"name":"collateralUsdcUnits","type":"uint64"},{"name":"notionalUsdcUnits","type":"uint64"},{"name":"venueFeeUsdcUnits","type":"uint64"},{"name":"principalUsdcUnits","type":"uint64"},{"name":"pendingFeeUsdcUnits","type":"uint64"},{"name":"badDebtUsdcUnits","type":"uint64"},{"name":"filledUsdcUnits","type":"uint64"},{"name":"minPositionTokenUnits","type":"uint64"},{"name":"originalTokenUnits","type":"uint64"},{"name":"tokenUnits","type":"uint64"},{"name":"closeTokenUnits","type":"uint64"}],"name":"position","type":"tuple"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"name":"positionKey","type":"bytes32"},{"name":"tokenUnits","type":"uint256"},{"name":"minPricePips","type":"uint256"}],"name":"requestClose","outputs":[],"stateMutability":"nonpayable","type":"function"},
] as const;

/** First topics of the events whose second topic is a position key. */
export const positionEventTopics: readonly string[] = [
  '0xa83076d95c7058ec09d84981fb2e9d61efd88af67ea5647ff86eda4a228b8d47',
  '0x7c2fb7ad28ff3012b206b788cc80d55099949fd45e69314f27fdace959bae761',
  '0xd97ce8e60fc56a4c90af8a1a20f372ba5b29e7c86b8f67c659297910afe0450f',
  '0xd3bcaf3c5fba59b09f3fc7fdcaeee05992a7d12213267178ab8a8ae0c6a19b34',
  '0x3422a78a786e6c103d013a93af3abf8b3e29423ee8ad118c5bb922c27ac24c45',
  '0x10e7831733ab068a93a319919a2ad21d8a5596156fcea7841ab74e6a9378ae44',
  '0x809b9a719cca34e7ee2deac3c4e6a3074643a758139c73c0f3cd59e2844d23b0',
  '0x441cea73fd1b2adfe469a0bf1029246d3672491096dba47fe335eaeb241023bb',
  '0x1c687520dcb9cb23d4ba573161c1e2afda267eb05e7f72a2577e6b25097ce3d8',
  '0x8932349bfb963d4342c1651f4ce10e015016d74846f935a09dec1c114b716c01',
  '0x88372f501bdd57d2addfe7516c1fb3fa6217314cf49f74a22971b9771b90309a',
  '0xf7c64b08bdaaff8fb98d0612fa28bfd308a4cad26732f8c1002c09c18872fd6c',
  '0xcee455fec3861d57838dd09c6adacda0f81eff50fd2a510f74b0251732f49469',
  '0xbaf6fe2aa54b7253124b3b360738db1d7bbac93fabd963e3c955bb6df250ecff',
  '0x455fbfefe9db09f312cb4de8849d6d8f305b3b8469cad582c37dc3cd86c3b0a7',
  '0xfbd0d7f2c98ea3f3ed77c982f7da9e2f3da40535387bf645c44bd89e988c2581',
  '0x485e7aa2ba3e6e07d524d47e84ef58bc57ff40f963a07d507cf6d97968337692',
  '0xc43a53a92075f5b71990c9153e3d21175c7c4d9f76223a04520efccb7de795a2',
];

/** Name of the error by selector of revert data, for the errors of a user's calls. */
export const revertNames = {
  '0xe7f75697': 'CloseOutOfRange',
  '0x247adfe4': 'CollateralOutOfRange',
  '0xd20db2c3': 'FeeAboveMaximum',
  '0xcf479181': 'InsufficientBalance',
  '0x9c584f54': 'InvalidQuoteSignature',
  '0x348e06dd': 'LeverageOutOfRange',
  '0x70d645e3': 'NotPositionOwner',
  '0x797dba54': 'NothingOwed',
  '0x969bf728': 'NothingToClaim',
  '0xbb1a8908': 'NotionalMismatch',
  '0xf48b1fac': 'OpeningIsPaused',
  '0x5bc1fdd8': 'OrderLive',
  '0x210b782c': 'SeedUsed',
  '0x0819bdcd': 'SignatureExpired',
  '0xa04d8129': 'SignatureTooFarAhead',
  '0x7c436a95': 'UnknownOutcome',
  '0x1c64ffa9': 'UserLimitOutOfRange',
  '0x192c1760': 'VenueFeeAboveMaximum',
  '0x85fb0af1': 'VenueFeeTooSmall',
  '0xe37d4aeb': 'WrongState',
  '0xffa4e618': 'Blacklisted',
  '0xfb8f41b2': 'ERC20InsufficientAllowance',
  '0xe450d38c': 'ERC20InsufficientBalance',
  '0x2c2496e5': 'LiquidityExceeded',
  '0xb5fc62be': 'OutcomeCapExceeded',
} as const;
