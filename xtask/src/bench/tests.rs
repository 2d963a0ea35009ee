//! Figures through the tables and the budgets, without measuring anything.

use super::budget;
use super::figure::Figure;
use super::firmware;
use super::programs::per_unit;
use super::{parallel, record, report};

fn figures(lines: &str) -> Vec<Figure> {
    lines
        .lines()
        .map(|line| Figure::parse(line.trim()).unwrap())
        .collect()
}

#[test]
fn a_figure_is_read_as_it_was_written() {
    let line = "time,sse-core 0.2.3,rival,tiny,whole,MB/s*,12.500";
    let figure = Figure::parse(line).unwrap();
    assert_eq!(figure.to_string(), line);
    assert_eq!((figure.unit(), figure.is_right()), ("MB/s", false));
    assert!(Figure::parse("time,sse-core 0.2.3,rival").is_err());
    assert!(Figure::parse("time,a,rival,tiny,1,MB/s,fast").is_err());
}

#[test]
fn a_dump_is_divided_by_events_and_bytes() {
    let dump = Figure::parse("instructions,a,own,tiny,1,dump/4/36,4").unwrap();
    let lines: Vec<String> = per_unit(&dump, 360.0)
        .unwrap()
        .iter()
        .map(Figure::to_string)
        .collect();
    assert_eq!(
        lines,
        [
            "instructions,a,own,tiny,1,instructions/event,90.000",
            "instructions,a,own,tiny,1,instructions/byte,10.000",
        ]
    );
    let dump = Figure::parse("streams,a,rival,tiny,1,dump/0/36*,4").unwrap();
    let figures = per_unit(&dump, 360.0).unwrap();
    assert_eq!(figures.len(), 1);
    assert!(!figures[0].is_right());
}

#[test]
fn a_table_has_the_best_rival_that_is_right_and_the_floor() {
    let table = report::tables(&figures(
        "instructions,sseam-core,own,tiny,1460,instructions/event,100
         instructions,sseam-core,own,tiny,1460,instructions/byte,11
         instructions,good 1.0,rival,tiny,1460,instructions/event,550
         instructions,worse 1.0,rival,tiny,1460,instructions/event,600
         instructions,wrong 1.0,rival,tiny,1460,instructions/event*,50
         instructions,floor: line ends,floor,tiny,1460,instructions/event,80",
    ));
    for part in [
        "Instructions per event (per byte), reads of 1460",
        "| sseam-core           | 100 (11.00) |",
        "| wrong 1.0            |       50.0* |",
        "| best rival           |        good |",
        "| times better than it |        5.50 |",
        "| times the floor      |        1.25 |",
    ] {
        assert!(table.contains(part), "no `{part}` in\n{table}");
    }
}

#[test]
fn higher_is_better_for_throughput() {
    let table = report::tables(&figures(
        "time,sseam-core,own,tiny,1460,MB/s,600
         time,good 1.0,rival,tiny,1460,MB/s,200
         time,worse 1.0,rival,tiny,1460,MB/s,100
         time,floor: line ends,floor,tiny,1460,MB/s,1200",
    ));
    assert!(table.contains("| times better than it | 3.00 |"), "{table}");
    assert!(table.contains("| best rival           | good |"), "{table}");
    assert!(table.contains("| times the floor      | 2.00 |"), "{table}");
}

#[test]
fn a_budget_is_kept_up_to_three_per_cent() {
    let budgets = figures("instructions,a,own,tiny,1,instructions/event,100");
    let counted = |value: &str| {
        let line = format!("instructions,a,own,tiny,1,instructions/event,{value}");
        budget::findings(&budgets, &figures(&line))
    };
    assert_eq!(counted("103"), [""; 0]);
    assert_eq!(counted("50"), [""; 0]);
    assert_eq!(counted("103.1").len(), 1);
}

#[test]
fn a_figure_without_budget_and_a_budget_without_figure_are_findings() {
    let one = figures("instructions,a,own,tiny,1,instructions/event,100");
    assert_eq!(budget::findings(&[], &one).len(), 1);
    assert_eq!(budget::findings(&one, &[]).len(), 1);
}

#[test]
fn tables_take_the_place_of_the_old_ones() {
    let document = "before\n<!-- tables: `cargo xtask bench` writes what follows -->\nold\n\
                    <!-- end of tables -->\nafter\n";
    let once = record::with_tables(document, "new").unwrap();
    assert_eq!(once, document.replace("old", "new"));
    assert_eq!(record::with_tables(&once, "new").unwrap(), once);
    assert!(record::with_tables("no place", "new").is_err());
}

#[test]
fn figures_of_firmware_are_found_among_other_lines() {
    let printed = "\n==> mcu icount an386 (mps2-an386, Cortex-M4)\ncore for thumbv7em: rustup\n\
                   icount chat 64 8192 90112 11.00\nicount chat 0 8192 65536 8.00\n\
                   ==> thumbv6m-none-eabi\n\
                   opt s parser         .text   2040 (of it memcpy and the like  120) .rodata 0";
    let lines: Vec<String> = firmware::figures_in(printed)
        .unwrap()
        .iter()
        .map(Figure::to_string)
        .collect();
    assert_eq!(
        lines,
        [
            "mcu,parser an386,own,chat,64,instructions/byte,11.000",
            "mcu,tokenizer an386,own,chat,whole,instructions/byte,8.000",
            "flash,parser,own,thumbv6m-none-eabi,opt s,.text,2040.0",
        ]
    );
}

#[test]
fn results_come_in_the_order_of_the_items() {
    let items: Vec<u64> = (0..100).collect();
    assert_eq!(parallel::map(&items, |item| Ok(item * 2)).unwrap()[99], 198);
    let odd = |item: &u64| {
        if item % 2 == 1 {
            anyhow::bail!("{item}")
        } else {
            Ok(())
        }
    };
    assert_eq!(parallel::map(&items, odd).unwrap_err().to_string(), "1");
    assert!(parallel::map(&[], odd).unwrap().is_empty());
}
