/** Feasts that have the same date every year. */
export const FEASTS = new Map<string, { month: number; day: number }>(
  Object.entries({
    'new-year': [1, 1],
    valentine: [2, 14],
    women: [3, 8],
    'tree-planting': [3, 12],
    'april-fools': [4, 1],
    labour: [5, 1],
    youth: [5, 4],
    children: [6, 1],
    party: [7, 1],
    army: [8, 1],
    teachers: [9, 10],
    national: [10, 1],
    halloween: [10, 31],
    'singles-day': [11, 11],
    'double-twelve': [12, 12],
    'christmas-eve': [12, 24],
    christmas: [12, 25],
    'new-year-eve': [12, 31],
    independence: [7, 4],
  }).map(([name, [month = 1, day = 1]]) => [name, { month, day }]),
)
