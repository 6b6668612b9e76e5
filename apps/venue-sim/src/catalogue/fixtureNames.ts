/** Fictional sides, so that no fixture names a real team or player. */
export const fixtureNames = {
  players: [
    'Alderwyn',
    'Boscari',
    'Corvenna',
    'Dremov',
    'Estaloza',
    'Falkenstrom',
    'Gavrilen',
    'Hartuno',
    'Ilvarez',
    'Jostrand',
  ],
  basketball: ['Harbor Gulls', 'Summit Rams', 'Delta Pilots', 'Canyon Foxes', 'Lakeside Owls', 'Ridge Wolves'],
  baseball: ['Foundry Nine', 'Bayou Herons', 'Prairie Larks', 'Granite Miners', 'Orchard Kings', 'Tidal Rays'],
  esport: ['Nullpoint', 'Ember Line', 'Ghost Relay', 'Kilo Seven', 'Northgate', 'Vanta'],
  soccer: [
    'Eastmoor Town',
    'Penbridge City',
    'Rovers of Halden',
    'Saltmarsh United',
    'Wexcombe Albion',
    'Thornby Athletic',
  ],
} as const satisfies Record<string, readonly [string, ...string[]]>;
