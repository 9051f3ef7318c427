import type { Draft } from '../draft'
import { longest, map, optional, phrase, sequence, word } from '../grammar'
import type { Rule } from '../grammar'

const NAMES: Record<string, string> = {
  'new-year': "new year|new years|new year's|new year day|new years day|new year's day",
  'new-year-eve': "new year eve|new years eve|new year's eve|nye",
  groundhog: 'groundhog day',
  valentine: "valentine day|valentines day|valentine's day|valentines|valentine's",
  'presidents-day': "presidents day|presidents' day|president's day|washington's birthday",
  'st-patrick': "st patrick's day|saint patrick's day|st patricks day|st. patrick's day",
  women: "women's day|international women's day",
  'april-fools': "april fools|april fools day|april fool's day|april fools' day",
  'good-friday': 'good friday',
  easter: 'easter|easter sunday|easter day',
  'easter-monday': 'easter monday',
  earth: 'earth day',
  labour: "workers' day|international workers' day|workers day|international workers day|may day",
  'cinco-de-mayo': 'cinco de mayo',
  'mothers-day': "mother's day|mothers day|mothers' day",
  memorial: 'memorial day',
  'fathers-day': "father's day|fathers day|fathers' day",
  juneteenth: 'juneteenth|jubilee day|freedom day|emancipation day',
  independence: 'independence day',
  'labor-day-us': 'labor day|labour day',
  columbus: "columbus day|indigenous peoples' day",
  halloween: 'halloween|all hallows eve',
  'all-saints': "all saints day|all saints' day",
  veterans: "veterans day|veteran's day|veterans' day",
  'singles-day': "singles day|singles' day|single's day",
  thanksgiving: 'thanksgiving|thanksgiving day',
  'black-friday': 'black friday',
  'cyber-monday': 'cyber monday',
  'christmas-eve': 'christmas eve|xmas eve',
  christmas: 'christmas|christmas day|xmas|xmas day',
  boxing: 'boxing day',
  'mlk-day': "martin luther king day|martin luther king's day|mlk day|martin luther king jr day",
  'spring-festival': 'chinese new year|lunar new year|spring festival',
  'mid-autumn': 'mid-autumn festival|mid autumn festival|moon festival',
  'dragon-boat': 'dragon boat festival',
}

/** The tokenizer keeps "workers" and its apostrophe apart. */
const spaced = (name: string): string => name.replaceAll("s' ", "s ' ").replace('mid-', 'mid - ').replace('st.', 'st .')

const holidayRules = Object.entries(NAMES).flatMap(([holiday, names]) =>
  names.split('|').map((name): Rule<Draft> => map(phrase(spaced(name)), () => ({ holiday }))),
)

export const holiday: Rule<Draft> = map(
  sequence(optional(sequence(optional(word('the')), word('next following this coming'))), longest(...holidayRules)),
  ([, found]) => found,
)
