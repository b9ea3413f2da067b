// The daily series: the coming days, and the puzzles of those that have one.
import { call, may } from "./api.js";
import { element, hint, link, part, pictureOf, withdraw, word } from "./elements.js";

const [SHOWN, MINUTE] = [7, 60_000];
let reading = Promise.resolve(); // Days are read one after the other.

/** The puzzles of days, by series and date. A puzzle can be withdrawn elsewhere, so each is read again after a minute. */
const known = new Map();

export function series(_, signal) {
  const render = ({ series = [] }, refresh) => series.length ? series.map(one => calendar(one, refresh, signal))
    : hint("There is no daily series. Declare one as [[series]] in the configuration file, or call CreateDailySeries.");
  return [part("Series", "ListDailySeries", render)];
}

function calendar({ name, kind, variant, endTime, currentDate, daysReady = 0, comingDays = [] }, refresh, signal) {
  // The server shows days that have not begun to makers and higher roles.
  const days = may("ListPuzzles") ? comingDays : comingDays.filter(({ date }) => date === currentDate);
  const later = days.slice(SHOWN).map(({ date, state }) => `${date} ${word(state)}`).join(", ");
  const ahead = endTime ? "has ended" : `${daysReady} coming days are ready`;
  const puzzles = kind ? `${word(kind)} ${variant}` : "several kinds";
  return element("section", { ariaLabel: name }, element("h3", `${name}: ${puzzles}, ${ahead}`),
    element("ul.pictures", days.slice(0, SHOWN).map(day => card(name, day, !kind, currentDate, refresh, signal))), later && hint(`Then ${later}.`));
}

function card(series, { date, state, kind, variant }, hasKinds, today, refresh, signal) {
  const item = element("li", element("b", date), element("span", date === today && "today, ", word(state)),
    hasKinds && element("span", `${word(kind)} ${variant}`));
  // GetDailyPuzzle would draw a puzzle for a day without one.
  if (state === "DAY_STATE_READY") reading = reading.then(() => fill(item, series, date, refresh, signal));
  else known.delete(`${series} ${date}`);
  return item;
}

async function fill(item, series, date, refresh, signal) {
  const key = `${series} ${date}`;
  try {
    let day = known.get(key);
    if (!(day?.until > Date.now())) {
      const { puzzle: { id } } = await call("GetDailyPuzzle", { series, date }, { signal });
      day = { id, address: await pictureOf({ id }, { signal }), until: Date.now() + MINUTE };
      known.set(key, day);
    }
    item.prepend(link(`#puzzle?id=${day.id}`, element("img", { src: day.address, alt: `${day.id}, ${series} of ${date}` })));
    item.append(withdraw(day.id, () => known.delete(key) && refresh()));
  } catch (error) {
    item.append(element("span.fault", error.message));
  }
}
