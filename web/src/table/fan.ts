/** Where the cards of a hand lie: in rows, overlapping as much as they must, with gaps between suits. */

export interface Spot {
  x: number;
  row: number;
}

export interface Fan {
  spots: Spot[];
  /** Where the name of each group stands; a group that goes on in the next row is named again. */
  labels: { group: number; x: number; row: number }[];
  rows: number;
}

export interface Room {
  width: number;
  card: number;
  /** The most of a card that shows beside its neighbour. */
  most: number;
  /** The least of it that a finger finds; below that another row is begun. */
  least: number;
  /** The most rows. */
  rows?: number;
  gap: number;
  /** The least that shows of the last card of a group: as much as a card is wide where none may lie under the next. */
  last: number;
}

/** Lays out groups of so many cards each, centred, in as few rows as will do. */
export function fan(groups: readonly number[], room: Room, rows = 1): Fan {
  const lines = split(groups, rows);
  const shown = Math.min(...lines.map((line) => open(line, room)));
  if (shown < room.least && rows < (room.rows ?? 3) && total(groups) > rows) return fan(groups, room, rows + 1);
  const spots: Spot[] = [];
  const labels: Fan["labels"] = [];
  lines.forEach((line, row) => {
    const cards = total(line.map((part) => part.count));
    const rest = (room.width - room.card - (cards - line.length) * shown) / Math.max(1, line.length - 1);
    const between = Math.min(Math.max(shown, room.last) + room.gap, Math.max(rest, shown));
    const long = (cards - line.length) * shown + (line.length - 1) * between + room.card;
    let x = Math.max(0, (room.width - long) / 2);
    for (const part of line) {
      labels.push({ group: part.group, x, row });
      for (let i = 0; i < part.count; i += 1) {
        spots.push({ x, row });
        x += shown;
      }
      x += between - shown;
    }
  });
  return { spots, labels, rows };
}

interface Part {
  group: number;
  count: number;
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** How much of each card shows in a row. */
function open(line: readonly Part[], { width, card, most, gap, last }: Room): number {
  const [cards, gaps] = [total(line.map((part) => part.count)), line.length - 1];
  if (cards < 2) return most;
  const even = (width - card - gaps * gap) / (cards - 1);
  if (even >= last || cards === line.length) return Math.min(most, even);
  return Math.min(most, (width - card - gaps * (gap + last)) / (cards - line.length));
}

/** Cuts the groups into rows of about the same length; at the border of a suit where one is near. */
function split(groups: readonly number[], rows: number): Part[][] {
  const cards = total(groups);
  const lines: Part[][] = [];
  let rest: Part[] = groups.map((count, group) => ({ group, count }));
  for (let left = rows; left > 0; left -= 1) {
    const wanted = Math.ceil(total(rest.map((part) => part.count)) / left);
    const slack = left > 1 ? Math.floor(cards / rows / 8) : 0;
    const line: Part[] = [];
    let room = wanted;
    while (rest.length && (room > 0 || left === 1)) {
      const part = rest[0]!;
      if (part.count <= room + slack || left === 1) {
        line.push(part);
        room -= part.count;
        rest = rest.slice(1);
        if (room <= slack && left > 1) break;
      } else if (room <= slack && line.length) {
        break;
      } else {
        line.push({ group: part.group, count: room });
        rest = [{ group: part.group, count: part.count - room }, ...rest.slice(1)];
        room = 0;
      }
    }
    if (line.length) lines.push(line);
  }
  return lines.length ? lines : [[]];
}
